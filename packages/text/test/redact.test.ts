import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createRedactor, secretValues } from '../src/index.js';

describe('createRedactor', () => {
  it.each([
    ['a value', ['hunter2-hunter2'], 'key hunter2-hunter2!', 'key ***!'],
    ['a value again and again', ['abcdefgh'], 'abcdefghabcdefgh', '******'],
    ['values of eight bytes, not seven', ['1234567', '12345678'], '1234567 12345678', '1234567 ***'],
    ['eight bytes of few characters', ['😀😀'], 'x😀😀x', 'x***x'],
    ['the longer one of two', ['secret-value', 'secret-value-long'], 'secret-value-long', '***'],
    ['both of two that overlap', ['abcdefghij', 'ghijklmnop'], '>abcdefghijklmnop<', '>***<'],
    ['all of a value that overlaps itself', ['aaaaaaaa'], 'aaaaaaaaaaaa', '***'],
    ['a value across lines', ['line one\nline two'], 'x line one\nline two y', 'x *** y'],
    ['a value inside a JSON string', ['a"b\\c\nd/efgh'], JSON.stringify({ k: 'a"b\\c\nd/efgh' }), '{"k":"***"}'],
    ['a value inside JSON inside JSON', ['pass"word"\n'], JSON.stringify(JSON.stringify('pass"word"\n')), '"\\"***\\""'],
    ['a value in ASCII-only JSON', ['gehéim-😀'], '"geh\\u00e9im-\\ud83d\\ude00"', '"***"'],
    ['regular expression characters', ['$&.*+?(x)'], '$&.*+?(x) $&', '*** $&'],
    ['nothing without values', [], 'abcdefgh', 'abcdefgh'],
  ])('[S-2] masks %s', (_, values, text, expected) => {
    expect(createRedactor(values).text(text)).toBe(expected);
  });

  it('[S-2] no value is left in any text, and what is no secret stays', () => {
    const value = fc.string({ unit: fc.constantFrom('a', 'b', '"', '\n', 'é'), minLength: 8, maxLength: 10 });
    const noise = fc.string({ unit: fc.constantFrom('x', 'y', ' '), maxLength: 5 });
    fc.assert(
      fc.property(fc.array(value, { minLength: 1, maxLength: 4 }), fc.array(noise, { minLength: 2, maxLength: 5 }), (values, noises) => {
        const text = noises.join(values[0]);
        const masked = createRedactor(values).text(text);
        for (const secret of values) expect(masked).not.toContain(secret);
        for (const plain of noises) expect(masked).toContain(plain);
      }),
    );
  });

  it('[S-2] masks every string of a value, keys included, and nothing else', () => {
    const { json } = createRedactor(['secret-value']);
    const value = { 'secret-value': ['a secret-value', { b: 'secret-value' }], n: 1, t: true, z: null };
    expect(json(value)).toEqual({ '***': ['a ***', { b: '***' }], n: 1, t: true, z: null });
    expect(value.n).toBe(1);
  });

  it('[S-2] two keys that become the same are both kept', () => {
    const { json } = createRedactor(['secret-one', 'secret-two']);
    expect(json({ 'secret-one': 1, 'secret-two': 2, x: 3 })).toEqual({ '***': 1, '*** 2': 2, x: 3 });
  });

  it('[S-2] a key like __proto__ stays a key', () => {
    const value: unknown = JSON.parse('{"__proto__": {"a": "secret-value"}}');
    expect(JSON.stringify(createRedactor(['secret-value']).json(value))).toBe('{"__proto__":{"a":"***"}}');
  });

  it('[S-2] data nested too deeply to search is masked', () => {
    let deep: unknown = 'secret-value';
    for (let i = 0; i < 100_000; i++) deep = [deep];
    let masked = createRedactor(['secret-value']).json(deep);
    while (Array.isArray(masked)) masked = masked[0];
    expect(masked).toBe('***');
  });

  it('[S-2] a large hostile text is masked in one go', () => {
    expect(createRedactor([`${'a'.repeat(63)}b`, 'a'.repeat(64)]).text('a'.repeat(1_000_000))).toBe('***');
  });
});

describe('secretValues', () => {
  it('[S-2] takes the well-known and the declared names', () => {
    const environment = {
      OPENAI_API_KEY: 'one',
      GITHUB_TOKEN: 'two',
      CLIENT_SECRET: 'three',
      AWS_SECRET_ACCESS_KEY: 'four',
      AWS_SESSION_TOKEN: 'five',
      AWS_REGION: 'no',
      TOKEN: 'no',
      API_KEY_ID: 'no',
      MY_PASSWORD: 'six',
      DB_MAIN_URL: 'seven',
      DB_URL: 'no',
      EMPTY_TOKEN: '',
      UNSET_TOKEN: undefined,
    };
    expect(secretValues(environment, ['MY_PASSWORD', 'DB_*_URL'])).toEqual(['one', 'two', 'three', 'four', 'five', 'six', 'seven']);
  });

  it('[S-2] a value with white space around it also counts without', () => {
    expect(secretValues({ A_TOKEN: ' abc\n', B_TOKEN: '  ' }, [])).toEqual([' abc\n', 'abc', '  ']);
  });
});

describe('lists of headers', () => {
  it('[S-2 I-10] each value of a list of headers is a secret, as it stands and as it is sent', () => {
    const list = 'authorization=Bearer%20abcdefgh123,x-key=pl%61in-value';
    const values = secretValues({ OTEL_EXPORTER_OTLP_HEADERS: list, OTEL_EXPORTER_OTLP_TRACES_HEADERS: 'k=traces-only' }, []);
    for (const value of [list, 'Bearer%20abcdefgh123', 'Bearer abcdefgh123', 'abcdefgh123', 'plain-value', 'traces-only'])
      expect(values).toContain(value);
  });

  it('[S-2] a broken encoding is a secret as it stands', () => {
    expect(secretValues({ OTEL_EXPORTER_OTLP_HEADERS: 'k=100%zz-secret' }, [])).toContain('100%zz-secret');
  });
});
