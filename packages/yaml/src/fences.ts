/** A markdown file cut at its fences: the bytes between them and the bytes below them. `line` counts from 1. */
export type Fences =
  | { readonly kind: 'fenced'; readonly matter: Uint8Array; readonly body: Uint8Array }
  | { readonly kind: 'unfenced' }
  | { readonly kind: 'broken'; readonly message: string; readonly line: number };

const FENCE = '---';
const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;

/**
 * Finds the front matter between two lines that are exactly `---`, ended by LF or CRLF (the second may end the file). The
 * first such line closes. A line that only begins with `---` is a fault and never content: it is nearly always a
 * mistyped fence, and front matter has no use for it.
 */
export function findFences(bytes: Uint8Array): Fences {
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) {
    return { kind: 'broken', message: 'The file begins with a byte-order mark. Save it without one.', line: 1 };
  }
  const first = lineAt(bytes, 0);
  if (!first.dashed) return { kind: 'unfenced' };
  if (!first.fence) return { kind: 'broken', message: MISTYPED, line: 1 };

  let line = 2;
  for (let start = first.next; start < bytes.length; line++) {
    const { dashed, fence, next } = lineAt(bytes, start);
    if (fence) return { kind: 'fenced', matter: bytes.subarray(first.next, start), body: bytes.subarray(next) };
    if (dashed) return { kind: 'broken', message: MISTYPED, line };
    start = next;
  }
  return { kind: 'broken', message: 'The front matter has no closing `---` line.', line: 1 };
}

const MISTYPED = 'The line begins with `---` but has more on it. A fence is `---` alone, without white space after it.';

function lineAt(bytes: Uint8Array, start: number): { readonly dashed: boolean; readonly fence: boolean; readonly next: number } {
  const feed = bytes.indexOf(LINE_FEED, start);
  const next = feed === -1 ? bytes.length : feed + 1;
  const contentEnd = feed === -1 ? bytes.length : bytes[feed - 1] === CARRIAGE_RETURN && feed > start ? feed - 1 : feed;
  const dashed = [...FENCE].every((dash, i) => start + i < contentEnd && bytes[start + i] === dash.charCodeAt(0));
  return { dashed, fence: dashed && contentEnd - start === FENCE.length, next };
}
