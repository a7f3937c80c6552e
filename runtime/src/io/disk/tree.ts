import { lstatSync, readdirSync } from 'node:fs';
import { chmod, lstat, readdir, rm, rmdir, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { codeOf, isAbsent } from './guard.js';

/** Removes files and folders whatever their modes, following no link. Absent is fine. */
export async function removeTree(path: string): Promise<void> {
  if (await removeSmall(path)) return;
  const remove = () => rm(path, { recursive: true, force: true, maxRetries: 3, retryDelay: 20 });
  try {
    await remove();
  } catch (error) {
    const code = codeOf(error);
    if (code !== 'EACCES' && code !== 'EPERM') throw error;
    await openFolders(path);
    await remove();
  }
}

/** Entries up to which a tree is removed in one sweep of all its folders at once. */
const SMALL = 64;

/**
 * Whether the tree was small and is gone. Otherwise a part of it may be. Never on the calling thread: a folder that is removed while the
 * disk makes something durable waits for that, and everything else would wait with it.
 */
async function removeSmall(path: string): Promise<boolean> {
  let left = SMALL;
  const remove = async (folder: Buffer): Promise<boolean> => {
    const entries = await readdir(folder, { withFileTypes: true, encoding: 'buffer' });
    left -= entries.length;
    if (left < 0) return false;
    const gone = await Promise.all(
      entries.map(async (entry) => {
        const at = Buffer.concat([folder, Buffer.from('/'), entry.name]);
        if (entry.isDirectory()) return remove(at);
        await unlink(at);
        return true;
      }),
    );
    if (gone.includes(false)) return false;
    await rmdir(folder);
    return true;
  };
  try {
    return !isLink(path) && (await remove(Buffer.from(path)));
  } catch (error) {
    return codeOf(error) === 'ENOENT' && left === SMALL;
  }
}

/** Gives every folder below back to its owner, so that what is in it can be removed. */
async function openFolders(path: string): Promise<void> {
  if (!(await lstat(path)).isDirectory()) return;
  await chmod(path, 0o700);
  for (const entry of await readdir(path, { withFileTypes: true })) {
    if (entry.isDirectory()) await openFolders(join(path, entry.name));
  }
}

/** Bytes of all regular files below, 0 for a link, stopping early past `limit`. What vanishes meanwhile, or cannot be entered, counts nothing. */
export async function measureTree(path: string, limit: number): Promise<number> {
  if (isLink(path) || isEmpty(path)) return 0;
  let total = 0;
  const open = [path];
  for (let at = open.pop(); at !== undefined && total <= limit; at = open.pop()) {
    for (const entry of await entriesOf(at)) {
      const inside = join(at, entry.name);
      if (entry.isDirectory()) open.push(inside);
      else if (entry.isFile()) total += await sizeOf(inside);
      if (total > limit) break;
    }
  }
  return total;
}

/** To list a link is to list what it leads to. */
function isLink(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true;
}

/** The usual case, answered without another thread. */
function isEmpty(folder: string): boolean {
  try {
    return readdirSync(folder).length === 0;
  } catch (error) {
    if (isAbsent(error)) return true;
    if (codeOf(error) === 'EACCES' || codeOf(error) === 'ENOTDIR') return false;
    throw error;
  }
}

async function entriesOf(folder: string) {
  try {
    return await readdir(folder, { withFileTypes: true });
  } catch (error) {
    if (isAbsent(error) || codeOf(error) === 'EACCES') return [];
    throw error;
  }
}

async function sizeOf(file: string): Promise<number> {
  try {
    return (await lstat(file)).size;
  } catch (error) {
    if (isAbsent(error) || codeOf(error) === 'EACCES') return 0;
    throw error;
  }
}
