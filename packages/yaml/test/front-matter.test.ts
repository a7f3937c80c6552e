import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { splitFrontMatter } from '../src/index.js';
import type { FrontMatterResult } from '../src/index.js';

function split(file: string | Uint8Array, fences: 'required' | 'optional' = 'required'): FrontMatterResult {
  return splitFrontMatter(typeof file === 'string' ? Buffer.from(file) : file, { fences });
}

function good(result: FrontMatterResult): Extract<FrontMatterResult, { ok: true }> {
  if (!result.ok) throw new Error(result.message);
  return result;
}

describe('front matter', () => {
  it.each([
    ['no keys', '---\n---\nbody\n', {}, 'body\n'],
    ['no keys and CRLF', '---\r\n---\r\nbody', {}, 'body'],
    ['no body', '---\na: 1\n---', { a: 1 }, ''],
    ['an empty body', '---\na: 1\n---\n', { a: 1 }, ''],
    ['CRLF', '---\r\na: 1\r\nb: x\r\n---\r\n\r\nbody\r\n', { a: 1, b: 'x' }, '\r\nbody\r\n'],
    ['mixed line ends', '---\na: 1\r\nb: 2\n---\r\nbody', { a: 1, b: 2 }, 'body'],
    ['comments and blank lines alone', '---\n# later\n\n  # more\n---\nbody', {}, 'body'],
    ['fences in the body', '---\na: 1\n---\n---\nb: 2\n---\n', { a: 1 }, '---\nb: 2\n---\n'],
    ['an indented fence in a value', '---\na: |\n  x\n  ---\n  y\n---\nbody', { a: 'x\n---\ny\n' }, 'body'],
    ['dashes inside a line', '---\na: b --- c\n---\n', { a: 'b --- c' }, ''],
    [
      'YAML 1.2 scalars',
      '---\na: 010\nb: 1_000\nc: 2026-01-02\nd: yes\ne: 0o10\n---\n',
      { a: 10, b: '1_000', c: '2026-01-02', d: 'yes', e: 8 },
      '',
    ],
    ['a block scalar with CRLF', '---\r\na: |\r\n  x\r\n  y\r\n---\r\n', { a: 'x\ny\n' }, ''],
  ])('[A-3] reads %s', (_, file, data, body) => {
    const result = good(split(file));
    expect(result.data).toEqual(data);
    expect(result.bodyText).toBe(body);
    expect(Buffer.from(result.body).toString()).toBe(body);
  });

  it.each([
    ['no fence', 'Write.\n', 1, 'must begin with front matter'],
    ['an empty file', '', 1, 'must begin with front matter'],
    ['a blank line first', '\n---\n---\n', 1, 'must begin with front matter'],
    ['a byte-order mark', '\ufeff---\n---\n', 1, 'byte-order mark'],
    ['no closing fence', '---\na: 1\nbody\n', 1, 'no closing `---` line'],
    ['an opening fence alone', '---', 1, 'no closing `---` line'],
    ['white space behind the opening fence', '--- \n---\n', 1, 'more on it'],
    ['a language behind the fence', '---js\nprocess.exit(1)\n---\n', 1, 'more on it'],
    ['white space behind the closing fence', '---\na: 1\n---\t\nbody', 3, 'more on it'],
    ['four dashes', '---\na: 1\n----\nbody\n---\n', 3, 'more on it'],
    ['a key that begins like a fence', '---\na: 1\n---b: 2\n---\n', 3, 'more on it'],
    ['a duplicate key', '---\na: 1\nb: 2\na: 3\n---\n', 4, 'The key "a" is there twice.'],
    ['a duplicate key inside', '---\na:\n  b: 1\n  "b": 2\n---\n', 4, 'The key "b" is there twice.'],
    ['an anchor', '---\na: 1\nb: &x 2\n---\n', 3, 'Anchors are not allowed.'],
    ['an alias', '---\na: *x\n---\n', 2, 'Aliases are not allowed.'],
    ['a tag', '---\na: !!str 1\n---\n', 2, 'Tags are not allowed.'],
    ['an unknown tag', '---\na: !run 1\n---\n', 2, 'Tags are not allowed.'],
    ['a directive', '---\n%YAML 1.1\n---\n', 2, 'Directives are not allowed.'],
    ['a second document', '---\na: 1\n...\nb: 2\n---\n', 4, 'more than one document'],
    ['a list', '---\n- a\n---\n', 2, 'not a mapping'],
    ['a word', '---\nword\n---\n', 2, 'not a mapping'],
    ['null', '---\n~\n---\n', 2, 'not a mapping'],
    ['broken YAML', '---\na: 1\nb: [\n---\n', 4, 'must be sufficiently indented'],
    ['a key that is no string', '---\n[a]: 1\n---\n', 2, 'keys must be strings'],
    ['a control character', '---\na: 1\nb: \x07\n---\n', 3, 'U+0007 is not allowed'],
    ['a zero byte', '---\na: \0\n---\n', 2, 'U+0000 is not allowed'],
    ['a lone carriage return', '---\na: 1\rb: 2\n---\n', 2, 'U+000D is not allowed'],
    ['half a surrogate pair', '---\na: "\\ud800"\n---\n', 2, 'half of a surrogate pair'],
    ['endless white space', `---\na: 1\n${'\n'.repeat(600)}---\n`, 2, 'blank characters'],
  ])('[A-3] refuses %s and says where', (_, file, line, message) => {
    const result = split(file);
    expect(result.ok ? 'accepted' : result.message).toContain(message);
    expect(result).toMatchObject({ ok: false, line });
  });

  it('[A-3] front matter must be UTF-8, and the faulty line is named', () => {
    expect(split(Buffer.concat([Buffer.from('---\na: 1\nb: '), Buffer.from([0xe9]), Buffer.from('\n---\n')]))).toEqual({
      ok: false,
      message: 'The front matter is not valid UTF-8.',
      line: 3,
    });
  });

  it('[A-3] a body may be any bytes', () => {
    const body = Buffer.from([0x61, 0xff, 0x00, 0xfe]);
    const result = good(split(Buffer.concat([Buffer.from('---\n---\n'), body])));
    expect(Buffer.from(result.body)).toEqual(body);
    expect(result.bodyText).toBe('a\ufffd\0\ufffd');
  });

  it('[A-3] optional fences: a file without an opening one is all body', () => {
    expect(good(split('# Title\n---\n', 'optional'))).toMatchObject({ data: {}, bodyText: '# Title\n---\n' });
    expect(good(split('', 'optional'))).toMatchObject({ data: {}, bodyText: '' });
    expect(good(split('---\na: 1\n---\nb', 'optional'))).toMatchObject({ data: { a: 1 }, bodyText: 'b' });
    expect(split('---\na: 1\n', 'optional').ok).toBe(false);
  });

  it('[A-3] keys are where the file has them', () => {
    const { keyLine } = good(split('---\n# first\na: 1\n\nb:\n  c: 2\n---\n'));
    expect([keyLine('a'), keyLine('b'), keyLine('c')]).toEqual([3, 5, undefined]);
    expect(good(split('---\n---\n')).keyLine('a')).toBeUndefined();
  });

  it('[A-3] keys keep their order, and names of object internals are ordinary keys', () => {
    const { data } = good(split('---\nz: 1\n__proto__: {polluted: 1}\nconstructor: 2\na: 3\n---\n'));
    expect(Object.keys(data)).toEqual(['z', '__proto__', 'constructor', 'a']);
    expect('polluted' in {}).toBe(false);
    expect(Object.getPrototypeOf(data)).toBe(Object.prototype);
  });

  it('[A-3] the same bytes are read the same way every time', () => {
    const file = '---\na: {b: [1]}\n---\nbody';
    expect(good(split(file)).data).toEqual(good(split(file)).data);
    expect(good(split(file)).data).toEqual({ a: { b: [1] } });
  });

  it('[K-6] whole numbers can be told from floats', () => {
    const result = splitFrontMatter(Buffer.from('---\na: 3\nb: 3.0\n---\n'), { fences: 'required', integers: 'bigint' });
    expect(good(result).data).toEqual({ a: 3n, b: 3 });
  });

  it('[A-3 A-20] any bytes give an answer', () => {
    const piece = fc.constantFrom(
      '---',
      '\n',
      '\r\n',
      'a',
      ': ',
      '- ',
      '[',
      ']',
      '{',
      '}',
      '"',
      "'",
      '&a ',
      '*a',
      '!t ',
      '#',
      '|',
      '>',
      '%',
      '? ',
      '\t',
      ' ',
      ',',
      'é',
      '\\',
      '@',
      '`',
      '<<',
      '...',
      '~',
      '1',
    );
    const text = fc.array(piece, { maxLength: 20 }).map((pieces) => `---\n${pieces.join('')}\n---\nbody`);
    fc.assert(
      fc.property(
        fc.oneof(
          text.map((file) => new Uint8Array(Buffer.from(file))),
          fc.uint8Array(),
        ),
        (bytes) => {
          const result = splitFrontMatter(bytes, { fences: 'optional' });
          if (!result.ok) {
            expect(result.message).toMatch(/\.$/);
            expect(result.line).toBeGreaterThan(0);
          }
        },
      ),
      { numRuns: 2000 },
    );
  });
});
