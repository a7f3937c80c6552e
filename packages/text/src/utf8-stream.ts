import { isUtf8 } from './utf8.js';

/** Judges bytes that come in pieces of any size as `isUtf8` judges them whole (K-8). */
export interface Utf8Check {
  /** Whether everything so far can still be the beginning of valid UTF-8. */
  see(piece: Uint8Array): boolean;
  /** Whether everything together is valid. */
  end(): boolean;
}

export function createUtf8Check(): Utf8Check {
  let valid = true;
  /** The beginning of a sequence that the next piece has to go on with: at most 3 bytes. */
  let open: Uint8Array = new Uint8Array();
  return {
    see(piece) {
      if (!valid) return false;
      const bytes = open.length === 0 ? piece : Buffer.concat([open, piece]);
      const whole = endOfWhole(bytes);
      valid = isUtf8(bytes.subarray(0, whole));
      open = Uint8Array.from(bytes.subarray(whole));
      return valid;
    },
    end: () => valid && open.length === 0,
  };
}

/** Where the last sequence begins when it is cut off; else the length. */
function endOfWhole(bytes: Uint8Array): number {
  for (let back = 1; back <= 3 && back <= bytes.length; back++) {
    const byte = bytes[bytes.length - back] ?? 0;
    if (byte < 0x80) break;
    if (byte >= 0xc0) return lengthOf(byte) > back ? bytes.length - back : bytes.length;
  }
  return bytes.length;
}

/** What begins with more than four bits set is no sequence, and waits for nothing. */
function lengthOf(lead: number): number {
  if (lead >= 0xf8) return 1;
  return lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2;
}
