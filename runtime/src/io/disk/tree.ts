import { chmod, lstat, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { codeOf, isAbsent } from './guard.js';

/** Removes files and folders whatever their modes, following no link. Absent is fine. */
export async function removeTree(path: string): Promise<void> {
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

/** Gives every folder below back to its owner, so that what is in it can be removed. */
async function openFolders(path: string): Promise<void> {
  if (!(await lstat(path)).isDirectory()) return;
  await chmod(path, 0o700);
  for (const entry of await readdir(path, { withFileTypes: true })) {
    if (entry.isDirectory()) await openFolders(join(path, entry.name));
  }
}

/** Bytes of all regular files below, stopping early past `limit`. What vanishes meanwhile, or cannot be entered, counts nothing. */
export async function measureTree(path: string, limit: number): Promise<number> {
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
