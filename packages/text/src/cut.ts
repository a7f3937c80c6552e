const encoder = new TextEncoder();

/** The longest prefix of the text that takes at most `maxBytes` in UTF-8 and ends between code points. */
export function cutText(text: string, maxBytes: number): string {
  if (maxBytes <= 0) return '';
  if (text.length * 3 <= maxBytes) return text;
  // A code unit takes at least one byte, so nothing beyond this slice can be part of the answer.
  const candidate = text.slice(0, maxBytes);
  const { read } = encoder.encodeInto(candidate, new Uint8Array(maxBytes));
  return endsInsidePair(text, read) ? text.slice(0, read - 1) : text.slice(0, read);
}

function endsInsidePair(text: string, end: number): boolean {
  return /^[\ud800-\udbff][\udc00-\udfff]$/.test(text.slice(Math.max(end - 1, 0), end + 1));
}

/** The largest offset at or before `at` that does not split a UTF-8 sequence. */
export function edgeBefore(bytes: Uint8Array, at: number): number {
  let edge = at;
  while (edge > 0 && isContinuation(bytes[edge])) edge--;
  return edge;
}

/** The smallest offset at or after `at` that does not split a UTF-8 sequence. */
export function edgeAfter(bytes: Uint8Array, at: number): number {
  let edge = at;
  while (edge < bytes.length && isContinuation(bytes[edge])) edge++;
  return edge;
}

function isContinuation(byte: number | undefined): boolean {
  return byte !== undefined && (byte & 0xc0) === 0x80;
}
