import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { boundedEnds, boundedView, createRedactor, createUtf8Check, isUtf8 } from '../src/index.js';

const hardBytes = fc.oneof(
  fc.uint8Array({ maxLength: 60 }),
  fc.array(fc.constantFrom('a', 'é', '€', '😀', '\0'), { maxLength: 40 }).map((parts) => new Uint8Array(Buffer.from(parts.join('')))),
  fc
    .constantFrom([0xc0, 0xaf], [0xed, 0xa0, 0x80], [0xf4, 0x90, 0x80, 0x80], [0xe2, 0x82], [0x80], [0xf0, 0x9f, 0x98], [0xff])
    .map((bytes) => new Uint8Array(bytes)),
);
const manyBytes = fc.array(hardBytes, { maxLength: 4 }).map((parts) => new Uint8Array(Buffer.concat(parts)));

function piecesOf(bytes: Uint8Array, sizes: readonly number[]): Uint8Array[] {
  const pieces: Uint8Array[] = [];
  for (let at = 0, n = 0; at < bytes.length; n++) {
    const size = sizes[n % sizes.length] ?? 1;
    pieces.push(bytes.subarray(at, at + size));
    at += size;
  }
  return pieces;
}

describe('createUtf8Check', () => {
  it('[K-8] judges pieces of any size as the whole is judged', () => {
    fc.assert(
      fc.property(manyBytes, fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 5 }), (bytes, sizes) => {
        const check = createUtf8Check();
        for (const piece of piecesOf(bytes, sizes)) check.see(piece);
        expect(check.end()).toBe(isUtf8(bytes));
      }),
      { numRuns: 2000 },
    );
  });

  it('[K-8] does not keep a piece that its owner writes over', () => {
    const check = createUtf8Check();
    const piece = new Uint8Array([0x61, 0xe2, 0x82]);
    check.see(piece);
    piece.fill(0xff);
    check.see(new Uint8Array([0xac]));
    expect(check.end()).toBe(true);
  });

  it('[K-8] says at once that nothing can be valid any more, and keeps saying it', () => {
    const check = createUtf8Check();
    expect([check.see(new Uint8Array([0xff])), check.see(new Uint8Array([0x61])), check.end()]).toEqual([false, false, false]);
  });
});

describe('boundedEnds', () => {
  it('[K-8] is the view of the whole, from its two ends alone', () => {
    const texts = fc.array(fc.constantFrom('a', '\n', 'é', '€', '😀'), { maxLength: 2000 }).map((parts) => Buffer.from(parts.join('')));
    fc.assert(
      fc.property(texts, fc.integer({ min: 256, max: 1024 }), fc.integer({ min: 0, max: 500 }), (bytes, maxBytes, more) => {
        const kept = maxBytes + more;
        const ends = { head: bytes.subarray(0, kept), tail: bytes.subarray(-kept), bytes: bytes.length };
        expect(boundedEnds(ends, maxBytes)).toBe(boundedView(bytes, maxBytes));
      }),
    );
  });

  it('[K-8] is the fixed sentence of what is no text', () => {
    expect(boundedEnds(null, 256)).toBe(boundedView(new Uint8Array([0xff]), 256));
  });
});

describe('redactor over bytes', () => {
  it('[S-2] finds a value in every form that it masks, and reaches as far as the longest', () => {
    const value = 'pä"ss\nword';
    const redactor = createRedactor([value]);
    for (const form of [value, JSON.stringify(value), JSON.stringify(JSON.stringify(value)), 'p\\u00e4\\"ss\\nword']) {
      expect(redactor.text(form)).toContain('***');
      expect(redactor.mayBeIn(Buffer.from(`x${form}y`))).toBe(true);
      expect(redactor.reach).toBeGreaterThanOrEqual(Buffer.byteLength(form) - 6);
    }
    expect(redactor.mayBeIn(Buffer.from('password'))).toBe(false);
    expect(createRedactor([])).toMatchObject({ reach: 0 });
    expect(createRedactor([]).mayBeIn(Buffer.from(value))).toBe(false);
  });
});
