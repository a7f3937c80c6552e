import { createHash, hash } from 'node:crypto';
import type { Dirent } from 'node:fs';
import { closeSync, constants, fstatSync, openSync, readSync, readdirSync } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import { lstat, open } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { RECORD } from './layout.js';
import type { Reading, RecordLine } from './reader.js';
import { createRecordReader } from './reader.js';

/** What stands in a run's tree: a file with its hash, or something a run never leaves behind. */
export type TreeEntry = TreeFile | { readonly kind: 'link' | 'other' | 'unreadable'; readonly path: string; readonly detail: string };

export interface TreeFile {
  readonly kind: 'file';
  readonly path: string;
  readonly sha256: string;
  readonly bytes: number;
  readonly executable: boolean;
  /** Newlines in the file, counted for `.jsonl` files alone. */
  readonly lines: number | null;
}

const SMALL = 1 << 18;
/** Bytes between two turns of the event loop; a multiple of `SMALL`. */
const TURN = 1 << 20;
/** Folders between two turns of the event loop: signals and progress must get through while a large tree is read. */
const FOLDERS_AT_ONCE = 64;
/** Follows no link and waits for nobody at the other end of a pipe. */
const PLAIN = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

/**
 * Everything below a folder but the folders themselves, hashed without following a link; what is left out is not read.
 * Order is that of the disk. Rejects only when the root cannot be listed.
 */
export async function* readTree(root: string, leftOut: ReadonlySet<string> = new Set()): AsyncGenerator<TreeEntry> {
  const folders = [''];
  let read = 0;
  for (let below = folders.pop(); below !== undefined; below = folders.pop()) {
    if ((read += 1) % FOLDERS_AT_ONCE === 0) await setImmediate();
    const entries = below === '' ? list(root) : orUnreadable(below, () => list(join(root, below)));
    if ('kind' in entries) yield entries;
    else
      for (const entry of entries) {
        const path = below === '' ? entry.name : `${below}/${entry.name}`;
        if (leftOut.has(path)) continue;
        if (entry.isDirectory()) folders.push(path);
        else if (entry.isFile())
          yield orUnreadable(path, () => hashSmall(join(root, path), path)) ?? (await hashLarge(join(root, path), path));
        else yield { kind: entry.isSymbolicLink() ? 'link' : 'other', path, detail: entry.isSymbolicLink() ? 'a link' : 'no regular file' };
      }
  }
}

/** A run is made of small folders and files, and reading one takes less than handing it to another thread. */
function list(folder: string): Dirent[] {
  return readdirSync(folder, { withFileTypes: true });
}

function orUnreadable<T>(path: string, read: () => T): T | TreeEntry {
  try {
    return read();
  } catch (error) {
    return unreadable(path, error);
  }
}

const small = Buffer.allocUnsafeSlow(SMALL);

/** Null when the file is not small. */
function hashSmall(at: string, path: string): TreeFile | null {
  const file = openSync(at, PLAIN);
  try {
    const stats = fstatSync(file);
    if (!stats.isFile() || stats.size >= SMALL) return null;
    const bytes = small.subarray(0, readUpTo(file, SMALL));
    if (bytes.length === SMALL) return null;
    const executable = (stats.mode & 0o100) !== 0;
    const lines = path.endsWith('.jsonl') ? newlines(bytes) : null;
    // Field by field: an object with another spread into it leaves a shape behind that only the large collection takes away.
    return { kind: 'file', path, sha256: hash('sha256', bytes), bytes: bytes.length, executable, lines };
  } finally {
    closeSync(file);
  }
}

/** Reads into `small` up to the file's end or its limit; returns how many bytes. */
function readUpTo(file: number, limit: number): number {
  let done = 0;
  for (let count = -1; count !== 0 && done < limit; done += count) count = readSync(file, small, done, limit - done, null);
  return done;
}

/** In small pieces on the calling thread, with a turn of the event loop now and then: the way through the pool takes twice as long. */
async function hashLarge(at: string, path: string): Promise<TreeEntry> {
  const counted = path.endsWith('.jsonl');
  const sum = createHash('sha256');
  let bytes = 0;
  let lines = 0;
  try {
    const file = openSync(at, PLAIN);
    try {
      const { mode } = fstatSync(file);
      for (let count = readUpTo(file, SMALL); count > 0; count = readUpTo(file, SMALL)) {
        const piece = small.subarray(0, count);
        sum.update(piece);
        bytes += count;
        if (counted) lines += newlines(piece);
        if (bytes % TURN === 0) await setImmediate();
      }
      return { kind: 'file', path, executable: (mode & 0o100) !== 0, bytes, sha256: sum.digest('hex'), lines: counted ? lines : null };
    } finally {
      closeSync(file);
    }
  } catch (error) {
    return unreadable(path, error);
  }
}

function newlines(bytes: Uint8Array): number {
  let count = 0;
  for (let at = bytes.indexOf(10); at !== -1; at = bytes.indexOf(10, at + 1)) count += 1;
  return count;
}

function unreadable(path: string, error: unknown): TreeEntry {
  const code = error instanceof Error && 'code' in error ? String(error.code) : 'EIO';
  return { kind: 'unreadable', path, detail: code };
}

/** Whether a folder holds a record. One that this user may not look into may: reading it says what the system refused. */
export async function holdsRecord(folder: string): Promise<boolean> {
  const found = await lstat(join(folder, RECORD)).catch((error: NodeJS.ErrnoException) => error.code ?? '');
  return typeof found === 'string' ? !['ENOENT', 'ENOTDIR'].includes(found) : found.isFile();
}

/** The bytes of a small file that stands itself at the path, no link; null when there is none or it is larger than the limit. */
export async function readSmall(path: string, limit: number): Promise<Buffer | null> {
  const file = await open(path, PLAIN).catch(() => null);
  if (file === null) return null;
  try {
    const stats = await file.stat();
    return stats.isFile() && stats.size <= limit ? await file.readFile() : null;
  } finally {
    await file.close();
  }
}

/** A record file being read. */
export interface RecordStream {
  /** Lines in pieces; those of one piece are gone when the next is asked for. Rejects with the system's error. */
  readonly pieces: AsyncIterable<readonly RecordLine[]>;
  /** How what was read so far reads. */
  reading(): Reading;
}

/** What is read at once. */
const READ = 1 << 18;
/** What is handed on at once: what lives long enough to be taken for old by the collector is kept for long, and small pieces do not. */
const PIECE = 1 << 14;

export interface ReadOptions {
  /** Asked at the end of the file: true reads on what was appended meanwhile, false ends the stream. */
  readonly atEnd?: () => Promise<boolean>;
  /** Given the file's bytes, piece by piece, before they are read. */
  readonly see?: (bytes: Uint8Array) => void;
}

/** Streams a record through the reader, in flat memory. */
export function readRecord(path: string, options: ReadOptions = {}): RecordStream {
  const reader = createRecordReader();
  async function* pieces(): AsyncGenerator<readonly RecordLine[]> {
    const file = await open(path, PLAIN);
    try {
      do {
        for await (const bytes of chunksOf(file)) {
          options.see?.(bytes);
          yield reader.feed(bytes);
        }
      } while ((await options.atEnd?.()) ?? false);
    } finally {
      await file.close();
    }
  }
  return { pieces: pieces(), reading: () => reader.reading() };
}

/** A record that may still grow. */
export interface RecordTail {
  /** What stands there and was not read yet, up to the end of the file as it is. Rejects with the system's error. */
  more(): AsyncGenerator<readonly RecordLine[]>;
  reading(): Reading;
  close(): Promise<void>;
}

/** Opens a record for reading it again and again. Rejects with the system's error. */
export async function openTail(path: string): Promise<RecordTail> {
  const file = await open(path, PLAIN);
  const reader = createRecordReader();
  return {
    async *more() {
      for await (const bytes of chunksOf(file)) yield reader.feed(bytes);
    },
    reading: () => reader.reading(),
    close: () => file.close(),
  };
}

/** The bytes of a plain file; a piece is overwritten by the next. Rejects with the system's error. */
export async function* readPieces(path: string): AsyncGenerator<Buffer> {
  const file = await open(path, PLAIN);
  try {
    yield* chunksOf(file);
  } finally {
    await file.close();
  }
}

/** The first and the last bytes of a plain file; null when there is none. They overlap in a file that is short. */
export async function readEnds(
  path: string,
  size: { readonly head: number; readonly tail: number },
): Promise<{ head: Buffer; tail: Buffer } | null> {
  const file = await open(path, PLAIN).catch(() => null);
  if (file === null) return null;
  try {
    const stats = await file.stat();
    if (!stats.isFile()) return null;
    return { head: await readAt(file, 0, size.head), tail: await readAt(file, Math.max(0, stats.size - size.tail), size.tail) };
  } finally {
    await file.close();
  }
}

async function readAt(file: FileHandle, position: number, size: number): Promise<Buffer> {
  const buffer = Buffer.alloc(size);
  const { bytesRead } = await file.read(buffer, 0, size, position);
  return buffer.subarray(0, bytesRead);
}

/** One buffer for the whole file: a chunk is overwritten by the next. */
async function* chunksOf(file: FileHandle): AsyncGenerator<Buffer> {
  const buffer = Buffer.allocUnsafeSlow(READ);
  for (;;) {
    const { bytesRead } = await file.read(buffer, 0, READ, null);
    if (bytesRead === 0) return;
    for (let at = 0; at < bytesRead; at += PIECE) yield buffer.subarray(at, Math.min(at + PIECE, bytesRead));
  }
}
