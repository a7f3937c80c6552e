import { createReadStream } from 'node:fs';

/** The bytes of a file, in pieces of at most 256 KiB. Rejects when it cannot be read. */
export function openBytes(file: string): AsyncIterable<Uint8Array> {
  return createReadStream(file, { highWaterMark: 1 << 18 });
}
