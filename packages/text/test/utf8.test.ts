import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compareBytes, escapeControls, escapeName, isUtf8, wellFormed } from '../src/index.js';

const anyText = fc
  .array(
    fc.oneof(fc.constantFrom('a', 'b', 'é', '\uffff', '\ue000', '😀', '\ud83d', '\ude00'), fc.string({ unit: 'binary', maxLength: 2 })),
    { maxLength: 6 },
  )
  .map((pieces) => pieces.join(''));

describe('order and encoding', () => {
  it('[A-19] order is that of the UTF-8 bytes', () => {
    expect(['😀', '\uffff', 'b', 'a', 'ab', ''].sort(compareBytes)).toEqual(['', 'a', 'ab', 'b', '\uffff', '😀']);
    fc.assert(
      fc.property(anyText, anyText, (a, b) => {
        expect(Math.sign(compareBytes(a, b))).toBe(Buffer.compare(Buffer.from(a), Buffer.from(b)));
      }),
      { numRuns: 1000 },
    );
  });

  it('[V-11] lone surrogates are replaced, pairs are kept', () => {
    expect(wellFormed('a\ud83d\ude00b\ud83dc\ude00')).toBe('a😀b\ufffdc\ufffd');
    fc.assert(fc.property(anyText, (text) => wellFormed(text) === Buffer.from(text).toString('utf8')));
  });

  it('[A-3] text that was encoded is valid UTF-8', () => {
    fc.assert(fc.property(anyText, (text) => isUtf8(Buffer.from(text))));
    expect(isUtf8(Uint8Array.from([0xff]))).toBe(false);
  });
});

describe('escaping for terminals', () => {
  it.each([
    ['\x1b[2J', '\\x1b[2J'],
    ['a\rb', 'a\\x0db'],
    ['\x7f\x80\x9b', '\\x7f\\x80\\x9b'],
    ['\u202egpj', '\\u202egpj'],
    ['\u2066\u2069\u200e\u200f\u061c', '\\u2066\\u2069\\u200e\\u200f\\u061c'],
    ['\u2028\u2029', '\\u2028\\u2029'],
    ['a\ud800b', 'a\\ud800b'],
    ['a\n\tb é😀', 'a\n\tb é😀'],
  ])('[P-1] %j is shown as %j', (text, expected) => {
    expect(escapeControls(text)).toBe(expected);
  });

  it('[P-1] a name stays on one line', () => {
    expect(escapeName('a\n\tb\x1b')).toBe('a\\x0a\\x09b\\x1b');
  });

  it('[P-1] what is escaped needs no escaping', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const escaped = escapeName(text);
        expect(escapeName(escaped)).toBe(escaped);
        expect(escaped).not.toMatch(/[\x00-\x1f\x7f-\x9f]/);
      }),
    );
  });
});
