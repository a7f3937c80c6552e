import { isUtf8 as bufferIsUtf8 } from 'node:buffer';

/** Whether the bytes are valid UTF-8. An overlong form, an encoded surrogate and a cut-off sequence are not. */
export function isUtf8(bytes: Uint8Array): boolean {
  return bufferIsUtf8(bytes);
}

/** The text with every lone surrogate replaced by U+FFFD, so that it can be encoded without a change. */
export function wellFormed(text: string): string {
  return text.replace(/\p{Surrogate}/gu, '\uFFFD');
}

const FIRST_SURROGATE = 0xd800;

/** Bytewise order of the UTF-8 encodings: negative, zero or positive. JavaScript's own order differs beyond U+FFFF. */
export function compareBytes(a: string, b: string): number {
  const shared = Math.min(a.length, b.length);
  for (let i = 0; i < shared; i++) {
    const left = a.charCodeAt(i);
    const right = b.charCodeAt(i);
    if (left === right) continue;
    if (left < FIRST_SURROGATE && right < FIRST_SURROGATE) return left - right;
    return Buffer.compare(Buffer.from(a), Buffer.from(b));
  }
  return a.length - b.length;
}
