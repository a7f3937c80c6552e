import { cutText, isUtf8, wellFormed } from '@gated-flow/text';
import { isDeeperThan } from './depth.js';
import { wellFormedValue } from './ascii.js';

export const MAX_PAYLOAD_BYTES = 10 * 1024 * 1024;
export const MAX_PAYLOAD_DEPTH = 200;
/** A transcript of speech arrives as text, and no longer than this (V-11). */
export const MAX_TRANSCRIPT_BYTES = 16 * 1024;

export type PayloadResult = { readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly message: string };

/**
 * A host's payload as data (V-11): parsed as JSON and never executed, at most 10 MB and 200 levels deep, lone surrogates
 * replaced, bytes that are no UTF-8 refused. Never throws.
 */
export function parsePayload(bytes: Uint8Array): PayloadResult {
  if (bytes.length === 0) return { ok: false, message: 'The payload is empty. It has to be one JSON value.' };
  if (bytes.length > MAX_PAYLOAD_BYTES) return { ok: false, message: 'The payload is longer than 10 MB.' };
  if (!isUtf8(bytes)) return { ok: false, message: 'The payload is not valid UTF-8.' };
  return parseText(
    Buffer.from(bytes)
      .toString('utf8')
      .replace(/^\uFEFF/, ''),
  );
}

/** JSON inside a text of a payload: bounded in the same way, and read one level only. A text that is no JSON stays a text. */
export function parseNested(text: string): PayloadResult {
  if (Buffer.byteLength(text) > MAX_PAYLOAD_BYTES) return { ok: false, message: 'The text in the payload is longer than 10 MB.' };
  return parseText(text);
}

function parseText(text: string): PayloadResult {
  if (isDeeperThan(text, MAX_PAYLOAD_DEPTH))
    return { ok: false, message: `The payload is nested deeper than ${MAX_PAYLOAD_DEPTH} levels.` };
  try {
    return { ok: true, value: wellFormedValue(JSON.parse(text)) };
  } catch (error) {
    return { ok: false, message: `The payload is not JSON: ${error instanceof SyntaxError ? 'it cannot be parsed' : 'it is too much'}.` };
  }
}

/** A transcript that may be routed: well-formed, and the longest beginning of 16 KiB (V-11). */
export function boundTranscript(text: string): string {
  return cutText(wellFormed(text), MAX_TRANSCRIPT_BYTES);
}
