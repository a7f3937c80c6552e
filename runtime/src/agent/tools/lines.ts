/** A line as far as it was kept. `bytes` has no line feed; `length` counts all of the line's bytes. */
export interface Line {
  readonly bytes: Buffer;
  readonly length: number;
  /** Bytes of the file up to and with this line's end. */
  readonly end: number;
}

/**
 * The lines from number `first` (from 1) on. Of a line at most `keep` bytes are held, so that a file of one endless line costs
 * no memory. Ends early, and so stops reading, when the caller does. Returns the number of lines that the file has, when it got there.
 */
export async function* linesFrom(pieces: AsyncIterable<Uint8Array>, first: number, keep: number): AsyncGenerator<Line, number, void> {
  let number = 1;
  let read = 0;
  let kept: Buffer[] = [];
  let held = 0;
  let length = 0;
  for await (const piece of pieces) {
    const bytes = Buffer.from(piece.buffer, piece.byteOffset, piece.byteLength);
    for (let at = 0; at < bytes.length;) {
      const found = bytes.indexOf(0x0a, at);
      const end = found === -1 ? bytes.length : found;
      if (number >= first && held < keep && end > at) {
        // A copy, because the piece is overwritten by the next one.
        const part = Buffer.from(bytes.subarray(at, Math.min(end, at + keep - held)));
        kept.push(part);
        held += part.length;
      }
      length += end - at;
      at = end + 1;
      if (found === -1) break;
      if (number >= first) yield { bytes: Buffer.concat(kept), length, end: read + at };
      number++;
      [kept, held, length] = [[], 0, 0];
    }
    read += bytes.length;
  }
  if (length === 0) return number - 1;
  if (number >= first) yield { bytes: Buffer.concat(kept), length, end: read };
  return number;
}
