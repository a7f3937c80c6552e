import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { boundedView, cutText, headTail, isUtf8 } from '../src/index.js';

const bytesOf = (text: string) => new Uint8Array(Buffer.from(text));
const UNAVAILABLE = 'Text rendering was unavailable because the output is not valid UTF-8. The exact bytes are in check.capture.';
const NOTICE = /^\[(\d+) bytes in all, (\d+) bytes omitted here: see check\.capture for the whole text\]$/m;

const anyText = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 3000 }),
  fc.array(fc.constantFrom('a', '\n', 'é', '€', '😀', '\r\n', '\0'), { maxLength: 3000 }).map((pieces) => pieces.join('')),
);
const anyBytes = fc.oneof(fc.uint8Array({ maxLength: 3000 }), anyText.map(bytesOf));
const anyMaximum = fc.integer({ min: 256, max: 2048 });

describe('boundedView', () => {
  it('[K-8] valid text at the limit is unchanged, a byte more is not', () => {
    const text = `${'x'.repeat(9_996)}😀`;
    expect(boundedView(bytesOf(text), 10_000)).toBe(text);
    expect(boundedView(bytesOf(`x${text}`), 10_000)).not.toContain(text);
  });

  it('[K-8] a byte-order mark, zero bytes and control characters are unchanged', () => {
    expect(boundedView(bytesOf('\ufeffa\0\x1b[31m\r\n'), 256)).toBe('\ufeffa\0\x1b[31m\r\n');
    expect(boundedView(new Uint8Array(), 256)).toBe('');
  });

  it('[K-8] a longer text is head, notice and tail', () => {
    const lines = Array.from({ length: 200 }, (_, n) => `line ${n}`).join('\n');
    expect(boundedView(bytesOf(lines), 256)).toBe(
      [
        ...Array.from({ length: 14 }, (_, n) => `line ${n}`),
        'l',
        '[1689 bytes in all, 1517 bytes omitted here: see check.capture for the whole text]',
        ...['ne 192', 'line 193', 'line 194', 'line 195', 'line 196', 'line 197', 'line 198', 'line 199'],
      ].join('\n'),
    );
  });

  it.each([
    ['a lone continuation byte', [0x61, 0x80]],
    ['an overlong form', [0xc0, 0xaf]],
    ['an encoded surrogate', [0xed, 0xa0, 0x80]],
    ['a cut-off sequence', [0x61, 0xe2, 0x82]],
    ['a code point beyond the last', [0xf4, 0x90, 0x80, 0x80]],
  ])('[K-8] %s makes one fixed sentence of the whole', (_, bytes) => {
    expect(boundedView(Uint8Array.from(bytes), 2048)).toBe(UNAVAILABLE);
    expect(boundedView(Uint8Array.from([...bytesOf('x'.repeat(5000)), ...bytes]), 2048)).toBe(UNAVAILABLE);
  });

  it('[K-8] any bytes give a text within the limit that accounts for every byte', () => {
    fc.assert(
      fc.property(anyBytes, anyMaximum, (bytes, maximum) => {
        const view = boundedView(bytes, maximum);
        expect(boundedView(bytes, maximum)).toBe(view);
        expect(Buffer.byteLength(view)).toBeLessThanOrEqual(maximum);
        if (!isUtf8(bytes)) return view === UNAVAILABLE;
        const text = Buffer.from(bytes).toString('utf8');
        if (bytes.length <= maximum) return view === text;

        const [line = '', original, omitted] = NOTICE.exec(view) ?? [];
        const at = view.indexOf(line);
        const tail = view.slice(at + line.length + 1);
        const head = text.startsWith(view.slice(0, at)) ? view.slice(0, at) : view.slice(0, at - 1);
        expect(Number(original)).toBe(bytes.length);
        expect(text.startsWith(head)).toBe(true);
        expect(text.endsWith(tail)).toBe(true);
        expect(Number(omitted)).toBe(bytes.length - Buffer.byteLength(head) - Buffer.byteLength(tail));
        return text.includes('\ufffd') || !view.includes('\ufffd');
      }),
    );
  });

  it('[K-8] about sixty percent of what is shown is the head, and hardly a byte of the limit is wasted', () => {
    const view = boundedView(bytesOf('€'.repeat(100_000)), 10_000);
    const [line = ''] = NOTICE.exec(view) ?? [];
    const [head = '', tail = ''] = view.split(`\n${line}\n`);
    expect(head.length / (head.length + tail.length)).toBeCloseTo(0.6, 2);
    expect(Buffer.byteLength(view)).toBeGreaterThan(9_990);
  });
});

describe('headTail', () => {
  it('[K-8] keeps bytes that are not UTF-8 as they are', () => {
    const bytes = new Uint8Array(1000).fill(0x80);
    const view = headTail(bytes, 100, (_, omitted) => `(${omitted} bytes)`);
    expect(view.length).toBeLessThanOrEqual(100);
    expect(Buffer.from(view).toString('latin1')).toContain('bytes)');
  });

  it('[K-8] gives the bytes themselves when they fit', () => {
    const bytes = Uint8Array.from([0xff, 0]);
    expect(headTail(bytes, 2, () => 'never')).toBe(bytes);
  });

  it('[K-8] cuts the notice when not even that fits', () => {
    fc.assert(
      fc.property(anyBytes, fc.integer({ min: 0, max: 60 }), (bytes, maximum) => {
        expect(headTail(bytes, maximum, (original) => `${original} bytes, cut`).length).toBeLessThanOrEqual(maximum);
      }),
    );
  });
});

describe('cutText', () => {
  it('[K-8] gives the longest prefix of whole code points', () => {
    const anyUnits = fc.string({ unit: 'binary', maxLength: 200 });
    fc.assert(
      fc.property(fc.oneof(anyUnits, anyText), fc.integer({ min: -1, max: 400 }), (text, maximum) => {
        let expected = '';
        for (const character of text) {
          if (Buffer.byteLength(expected + character) > maximum) break;
          expected += character;
        }
        expect(cutText(text, maximum)).toBe(expected);
      }),
    );
  });

  it('[K-8] counts a lone surrogate as its replacement', () => {
    expect(cutText('a\ud83d', 3)).toBe('a');
    expect(cutText('a\ud83d', 4)).toBe('a\ud83d');
    expect(cutText('a\ud83d\ude00', 4)).toBe('a');
  });
});
