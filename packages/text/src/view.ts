import { cutText, edgeAfter, edgeBefore } from './cut.js';
import { isUtf8 } from './utf8.js';

const UNAVAILABLE = 'Text rendering was unavailable because the output is not valid UTF-8. The exact bytes are in check.capture.';
const HEAD_SHARE = 0.6;

/**
 * What a reader is shown of captured bytes (K-8): valid UTF-8 of at most `maxBytes` unchanged; longer text as its head,
 * a notice on a line of its own and its tail, together at most `maxBytes`; anything else as one fixed sentence.
 * Deterministic. `maxBytes` is meant to be 256 or more.
 */
export function boundedView(bytes: Uint8Array, maxBytes: number): string {
  if (!isUtf8(bytes)) return UNAVAILABLE;
  return decode(headTail(bytes, maxBytes, captureNotice));
}

function captureNotice(original: number, omitted: number): string {
  return `[${original} bytes in all, ${omitted} bytes omitted here: see check.capture for the whole text]`;
}

/**
 * The bytes themselves when they fit, else about 60 % head, the notice on a line of its own, and the tail.
 * `notice` gets the original and the omitted byte count and must not get longer when a count gets smaller.
 * UTF-8 sequences are never split; in bytes that are not UTF-8 the cuts may lie a little further apart.
 * When not even the notice fits, the answer is its beginning.
 */
export function headTail(bytes: Uint8Array, maxBytes: number, notice: (original: number, omitted: number) => string): Uint8Array {
  if (bytes.length <= maxBytes) return bytes;
  const longestNotice = `\n${notice(bytes.length, bytes.length)}\n`;
  const room = maxBytes - Buffer.byteLength(longestNotice);
  if (room < 0) return Buffer.from(cutText(notice(bytes.length, bytes.length), maxBytes));

  const headEnd = edgeBefore(bytes, Math.floor(room * HEAD_SHARE));
  const tailStart = edgeAfter(bytes, bytes.length - (room - headEnd));
  const head = bytes.subarray(0, headEnd);
  const line = `${endsLine(head) ? '' : '\n'}${notice(bytes.length, tailStart - headEnd)}\n`;
  return Buffer.concat([head, Buffer.from(line), bytes.subarray(tailStart)]);
}

function endsLine(head: Uint8Array): boolean {
  return head.length === 0 || head[head.length - 1] === 0x0a;
}

function decode(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8');
}
