import { closeSync, constants, fstatSync, lstatSync, openSync, readSync, statSync, type Stats } from 'node:fs';
import { read } from 'node:fs';
import { promisify } from 'node:util';
import { DiskError } from '../../ports/disk.js';

/** Linux takes several times as long to write the same bytes in pieces of a mebibyte or more. */
const PIECE_AT_ONCE = 1 << 18;
const PIECE = 1 << 20;
/** A file that is read whole is read in one piece up to here, so that it is in memory once. */
const LARGEST_AT_ONCE = 64 << 20;
const readInto = promisify(read);

export interface RegularFile {
  readonly fd: number;
  readonly size: number;
}

/**
 * Opens a regular file for reading; anything else is a DiskError (`EISDIR`, `ELOOP`, `EFTYPE`). The kind is looked at before
 * opening, because opening a FIFO lets its writer go; and after, because it may have changed. Never waits for a writer.
 */
export function openRegular(operation: string, path: string, follow: boolean): RegularFile {
  refuseOther(operation, path, follow ? statSync(path) : lstatSync(path));
  const fd = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK | (follow ? 0 : constants.O_NOFOLLOW));
  try {
    const standing = fstatSync(fd);
    refuseOther(operation, path, standing);
    return { fd, size: standing.size };
  } catch (error) {
    closeSync(fd);
    throw error;
  }
}

function refuseOther(operation: string, path: string, standing: Stats): void {
  if (standing.isFile()) return;
  throw new DiskError(operation, path, standing.isDirectory() ? 'EISDIR' : standing.isSymbolicLink() ? 'ELOOP' : 'EFTYPE');
}

/** The first `bytes` bytes, or all there are. A size of 0 is not believed: files of /proc say so. */
export function readStart(file: RegularFile, bytes: number): Buffer {
  const pieces: Buffer[] = [];
  let left = bytes;
  while (left > 0) {
    const piece = Buffer.allocUnsafe(Math.min(left, Math.max(1024, file.size + 1), LARGEST_AT_ONCE));
    const count = readSync(file.fd, piece, 0, piece.length, null);
    if (count === 0) break;
    pieces.push(piece.subarray(0, count));
    left -= count;
  }
  const [only] = pieces;
  return pieces.length === 1 && only ? only : Buffer.concat(pieces);
}

/** One for all: no piece of it outlives the call that it was read for. */
let shared: Buffer | null = null;

/**
 * Reads on for about `most` bytes on the calling thread, which takes less than the way through the pool, and hands each piece to `use`,
 * which must be done with it when it returns. Whether the end was reached.
 */
export function eachAtOnce(fd: number, most: number, use: (piece: Buffer) => void): boolean {
  const buffer = (shared ??= Buffer.allocUnsafeSlow(PIECE_AT_ONCE));
  for (let done = 0; done < most;) {
    const count = readSync(fd, buffer, 0, PIECE_AT_ONCE, null);
    if (count === 0) return true;
    use(buffer.subarray(0, count));
    done += count;
  }
  return false;
}

/**
 * The rest of the file in pieces of at most 1 MiB. The next piece is read while the caller works on this one, so a piece is
 * only good until the caller asks for another.
 */
export async function* piecesOf(fd: number): AsyncGenerator<Buffer, void, void> {
  let [front, back] = [Buffer.allocUnsafe(PIECE), Buffer.allocUnsafe(PIECE)];
  let reading = readInto(fd, front, 0, PIECE, null);
  try {
    for (;;) {
      const { bytesRead } = await reading;
      if (bytesRead === 0) return;
      reading = readInto(fd, back, 0, PIECE, null);
      yield front.subarray(0, bytesRead);
      [front, back] = [back, front];
    }
  } finally {
    // The descriptor may be closed only when no read is under way.
    await reading.catch(() => undefined);
  }
}
