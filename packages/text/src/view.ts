import { cutText, edgeAfter, edgeBefore } from './cut.js';
import { isUtf8 } from './utf8.js';

const UNAVAILABLE = 'Text rendering was unavailable because the output is not valid UTF-8. The exact bytes are in check.capture.';
const HEAD_SHARE = 0.6;

/** A text of which only the two ends are at hand; each holds as many bytes as a view of it may, or the whole text. */
export interface TextEnds {
  readonly head: Uint8Array;
  readonly tail: Uint8Array;
  /** Bytes of the whole. */
  readonly bytes: number;
}

type Notice = (original: number, omitted: number) => string;

/**
 * What a reader is shown of captured bytes (K-8): valid UTF-8 of at most `maxBytes` unchanged; longer text as its head,
 * a notice on a line of its own and its tail, together at most `maxBytes`; anything else as one fixed sentence.
 * Deterministic. `maxBytes` is meant to be 256 or more.
 */
export function boundedView(bytes: Uint8Array, maxBytes: number): string {
  return boundedEnds(isUtf8(bytes) ? endsOf(bytes) : null, maxBytes);
}

/** The same view of a text that was not kept whole; null when it is not valid UTF-8. */
export function boundedEnds(ends: TextEnds | null, maxBytes: number): string {
  return ends === null ? UNAVAILABLE : decode(joinEnds(ends, maxBytes, captureNotice));
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
export function headTail(bytes: Uint8Array, maxBytes: number, notice: Notice): Uint8Array {
  return joinEnds(endsOf(bytes), maxBytes, notice);
}

function endsOf(bytes: Uint8Array): TextEnds {
  return { head: bytes, tail: bytes, bytes: bytes.length };
}

function joinEnds(ends: TextEnds, maxBytes: number, notice: Notice): Uint8Array {
  const { bytes } = ends;
  if (bytes <= maxBytes) return ends.head;
  const longestNotice = `\n${notice(bytes, bytes)}\n`;
  const room = maxBytes - Buffer.byteLength(longestNotice);
  if (room < 0) return Buffer.from(cutText(notice(bytes, bytes), maxBytes));

  const head = ends.head.subarray(0, edgeBefore(ends.head, Math.floor(room * HEAD_SHARE)));
  const tail = ends.tail.subarray(edgeAfter(ends.tail, ends.tail.length - (room - head.length)));
  const line = `${endsLine(head) ? '' : '\n'}${notice(bytes, bytes - head.length - tail.length)}\n`;
  return Buffer.concat([head, Buffer.from(line), tail]);
}

function endsLine(head: Uint8Array): boolean {
  return head.length === 0 || head[head.length - 1] === 0x0a;
}

function decode(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8');
}
