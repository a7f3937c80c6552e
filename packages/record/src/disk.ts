import { createHash, hash } from 'node:crypto';
import { constants, createReadStream } from 'node:fs';
import { lstat, open, readdir } from 'node:fs/promises';
import { join } from 'node:path';

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

/** Everything below a folder but the folders themselves, hashed without following a link. Order is that of the disk. Rejects only when the root cannot be listed. */
export async function* readTree(root: string, below = ''): AsyncGenerator<TreeEntry> {
  for (const entry of await readdir(join(root, below), { withFileTypes: true })) {
    const path = below === '' ? entry.name : `${below}/${entry.name}`;
    if (entry.isDirectory()) yield* readFolder(root, path);
    else if (entry.isFile()) yield await readEntry(root, path);
    else yield { kind: entry.isSymbolicLink() ? 'link' : 'other', path, detail: entry.isSymbolicLink() ? 'a link' : 'no regular file' };
  }
}

async function* readFolder(root: string, path: string): AsyncGenerator<TreeEntry> {
  try {
    yield* readTree(root, path);
  } catch (error) {
    yield unreadable(path, error);
  }
}

async function readEntry(root: string, path: string): Promise<TreeEntry> {
  try {
    return await hashFile(join(root, path), path);
  } catch (error) {
    return unreadable(path, error);
  }
}

async function hashFile(at: string, path: string): Promise<TreeFile> {
  const file = await open(at, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    const stats = await file.stat();
    const about = { kind: 'file' as const, path, executable: (stats.mode & 0o100) !== 0 };
    const counted = path.endsWith('.jsonl');
    if (stats.size <= SMALL) {
      const bytes = await file.readFile();
      return { ...about, bytes: bytes.length, sha256: hash('sha256', bytes), lines: counted ? newlines(bytes) : null };
    }
    const sum = createHash('sha256');
    let bytes = 0;
    let lines = 0;
    for await (const chunk of createReadStream(at, { fd: file, autoClose: false, highWaterMark: 1 << 20 })) {
      sum.update(chunk);
      bytes += chunk.length;
      if (counted) lines += newlines(chunk);
    }
    return { ...about, bytes, sha256: sum.digest('hex'), lines: counted ? lines : null };
  } finally {
    await file.close();
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

/** Whether a folder holds a record: what a path to a run must be. */
export async function holdsRecord(folder: string): Promise<boolean> {
  return (await lstat(join(folder, 'record.jsonl')).catch(() => null))?.isFile() ?? false;
}
