import { createHash } from 'node:crypto';
import { closeSync, write, writeSync } from 'node:fs';
import { promisify } from 'node:util';
import type { Digest } from '../../ports/disk.js';
import { guarded } from './guard.js';
import { eachAtOnce, openRegular, piecesOf, type RegularFile } from './regular.js';
import { create, replace, type ReplaceOptions } from './replace.js';

const writeSome = promisify(write);

/** SHA-256 of a regular file, in flat memory, not following a link at the end. */
export async function hashFile(path: string): Promise<Digest> {
  const file = openRegular('hash', path, false);
  try {
    const sum = startDigest();
    if (!eachAtOnce(file, sum.add)) for await (const piece of piecesOf(file.fd)) sum.add(piece);
    return sum.end();
  } finally {
    closeSync(file.fd);
  }
}

/** Copies a regular file; the digest is of the bytes written. What fails once `from` is open names both, since either disk may be the one in trouble. */
export async function copyFile(from: string, to: string, options: ReplaceOptions): Promise<Digest> {
  const file = openRegular('copy', from, false);
  try {
    return await guarded('copy', `${from} to ${to}`, () => fillAt(to, options, file));
  } finally {
    closeSync(file.fd);
  }
}

/** A seal's copy is new under its name; only an attempt whose seal failed is copied again. */
async function fillAt(to: string, options: ReplaceOptions, file: RegularFile): Promise<Digest> {
  const fill = (fd: number): Promise<Digest> => copyInto(fd, file);
  const created = options.durable === true && options.mode !== 'kept' ? await create(to, options.mode ?? 0o600, fill) : null;
  return created === null ? replace(to, options, fill) : created.filled;
}

async function copyInto(fd: number, file: RegularFile): Promise<Digest> {
  const sum = startDigest();
  const addAndWrite = (piece: Buffer): void => {
    sum.add(piece);
    writeAll(fd, piece);
  };
  if (eachAtOnce(file, addAndWrite)) return sum.end();
  for await (const piece of piecesOf(file.fd)) {
    const writing = writeWhole(fd, piece);
    sum.add(piece);
    await writing;
  }
  return sum.end();
}

function startDigest(): { add(piece: Buffer): void; end(): Digest } {
  const hash = createHash('sha256');
  let bytes = 0;
  return {
    add(piece) {
      hash.update(piece);
      bytes += piece.length;
    },
    end: () => ({ sha256: hash.digest('hex'), bytes }),
  };
}

/** Writes all of it; a short write is continued. */
export function writeAll(fd: number, bytes: Uint8Array): void {
  for (let done = 0; done < bytes.length;) done += writeSync(fd, bytes, done);
}

async function writeWhole(fd: number, bytes: Buffer): Promise<void> {
  for (let done = 0; done < bytes.length;) done += (await writeSome(fd, bytes, done, bytes.length - done, null)).bytesWritten;
}
