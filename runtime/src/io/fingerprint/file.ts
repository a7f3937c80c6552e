import { createHash, hash } from 'node:crypto';
import { type BigIntStats, closeSync, constants, fstatSync, openSync } from 'node:fs';
import { piecesOf, readStart } from '../disk/regular.js';
import { NoPrint, shown } from './no-print.js';

/** What was read of a file, and how the file looked then. */
export interface Known {
  readonly look: string;
  readonly sha256: string;
}

/** A file below this size is read in one piece. */
const SMALL = 1 << 18;
/** A file that changed this recently may change again without its times showing it: it is read every time. */
const SETTLED_MS = 2_000n;

interface Reading {
  /** As the file was found. */
  readonly stats: BigIntStats;
  readonly known: Map<string, Known>;
  readonly follow: boolean;
}

/** SHA-256 of a file's bytes, read again unless nothing about it has moved. Throws a NoPrint when it changes meanwhile. */
export async function readPrint(path: Buffer, { stats, known, follow }: Reading): Promise<string> {
  const key = path.toString('latin1');
  const look = lookOf(stats);
  const earlier = known.get(key);
  if (earlier?.look === look) return earlier.sha256;
  const began = BigInt(Date.now());
  const fd = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK | (follow ? 0 : constants.O_NOFOLLOW));
  try {
    const sha256 = await hashOpen(fd, Number(stats.size));
    if (lookOf(fstatSync(fd, { bigint: true })) !== look) throw new NoPrint(`${shown(path)} changed while it was read`);
    if (began - stats.ctimeMs > SETTLED_MS && began - stats.mtimeMs > SETTLED_MS) known.set(key, { look, sha256 });
    return sha256;
  } finally {
    closeSync(fd);
  }
}

function lookOf({ dev, ino, size, mtimeNs, ctimeNs }: BigIntStats): string {
  return `${dev} ${ino} ${size} ${mtimeNs} ${ctimeNs}`;
}

async function hashOpen(fd: number, size: number): Promise<string> {
  if (size < SMALL) {
    const start = readStart({ fd, size }, SMALL);
    if (start.length < SMALL) return hash('sha256', start);
  }
  const sum = createHash('sha256');
  for await (const piece of piecesOf(fd)) sum.update(piece);
  return sum.digest('hex');
}
