import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { asciiJson, asciiText, boundTranscript, mediaPathsIn, parsePayload, wellFormedValue, withoutBlobs } from '../src/index.js';

describe('[V-11] payloads', () => {
  it('any payload is ASCII and the same value', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const text = asciiJson(value);
        expect(text).toMatch(/^[ -~]*$/);
        expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(value)));
      }),
    );
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(asciiText(text)).toMatch(/^[\n -~]*$/);
      }),
    );
  });

  it('lone surrogates are replaced in texts and keys', () => {
    const parsed = parsePayload(Buffer.from('{"a\\ud800":["\\udfff","\\ud83d\\ude00"]}'));
    expect(parsed).toEqual({ ok: true, value: { 'a\ufffd': ['\ufffd', '😀'] } });
    expect(asciiJson({ '\ud800': '\udc00' })).toBe('{"\\ufffd":"\\ufffd"}');
    expect(asciiJson(['\\ud800'])).toBe('["\\\\ud800"]');
    expect(wellFormedValue(['\ud800'])).toEqual(['\ufffd']);
  });

  it('what has no form is null, and a terminal sequence is spelled out', () => {
    expect(asciiJson(undefined)).toBe('null');
    expect(asciiText('a\x1b[2Jb\r\x00é')).toBe('a\\x1b[2Jb\\x0d\\x00\\u00e9');
  });

  it.each([
    ['nothing', Buffer.alloc(0), 'empty'],
    ['bytes that are no UTF-8', Buffer.from([0x22, 0xff, 0x22]), 'not valid UTF-8'],
    ['no JSON', Buffer.from("{a: require('fs')}"), 'not JSON'],
    ['more than 10 MB', Buffer.alloc(10 * 1024 * 1024 + 1, 0x20), 'longer than 10 MB'],
    ['too deep', Buffer.from('['.repeat(100_000) + ']'.repeat(100_000)), 'nested deeper'],
  ])('refuses %s', (_, bytes, expected) => {
    const read = parsePayload(bytes);
    expect(read.ok ? '' : read.message).toContain(expected);
  });

  it('keeps __proto__ as data', () => {
    const read = parsePayload(Buffer.from('{"__proto__":{"polluted":true}}'));
    expect(Object.keys(read.ok && typeof read.value === 'object' && read.value !== null ? read.value : {})).toEqual(['__proto__']);
    expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false);
  });

  it('brackets inside of texts are no depth', () => {
    expect(
      parsePayload(Buffer.from(JSON.stringify({ nested: JSON.stringify('['.repeat(5000)), quoted: '"\\"['.repeat(500) }))),
    ).toMatchObject({ ok: true });
  });

  it('blobs are named with their size and not decoded', () => {
    const base64 = Buffer.from(Array.from({ length: 300 }, (_, index) => (index * 7919) % 256)).toString('base64');
    expect(
      withoutBlobs({
        a: base64,
        b: `data:audio/wav;base64,${base64}`,
        c: Array.from({ length: 300 }, () => 7),
        d: 'words '.repeat(100),
        e: [1, 2],
      }),
    ).toEqual({
      a: '[400 characters of base64, not decoded]',
      b: '[audio/wav, 400 characters of base64, not decoded]',
      c: '[300 bytes, not decoded]',
      d: 'words '.repeat(100),
      e: [1, 2],
    });
  });

  it.each([
    ['zero bytes', Buffer.alloc(300).toString('base64')],
    ['one byte again and again', Buffer.alloc(300, 'z').toString('base64')],
    ['with line breaks', Buffer.alloc(300, 'ab1').toString('base64').replace(/.{76}/g, '$&\n')],
  ])('a blob of %s is one too', (_, text) => {
    expect(withoutBlobs(text)).toBe(`[${text.length} characters of base64, not decoded]`);
  });

  it.each([
    ['a long path', `/home/Me1/${'/'.repeat(300)}`],
    ['a long path of folders', '/Aa1'.repeat(100)],
    ['a short word', 'A'.repeat(128)],
  ])('%s is none', (_, text) => {
    expect(withoutBlobs(text)).toBe(text);
  });

  it('paths of recordings are named, and a transcript is bounded', () => {
    expect(mediaPathsIn({ recording: '/tmp/a.WAV', url: 'https://a/b.mp4?x=1', text: 'a.txt' })).toEqual([
      '/tmp/a.WAV',
      'https://a/b.mp4?x=1',
    ]);
    const bounded = boundTranscript('é'.repeat(20_000) + '\ud800');
    expect(Buffer.byteLength(bounded)).toBeLessThanOrEqual(16 * 1024);
    expect(bounded.endsWith('é')).toBe(true);
    expect(boundTranscript('a\ud800')).toBe('a\ufffd');
  });
});
