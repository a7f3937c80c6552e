import { randomBytes } from 'node:crypto';
import { chmodSync, chownSync, closeSync, constants, fsync, openSync, renameSync, rmSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { makeFolders } from './folder.js';
import { codeOf } from './guard.js';

const sync = promisify(fsync);

/** Temporary names of this process meet no other's. */
const OURS = randomBytes(6).toString('hex');
let made = 0;

export interface ReplaceOptions {
  readonly mode?: number | 'kept';
  readonly durable?: boolean;
}

/**
 * Fills a sibling temporary file and renames it over `path`: a reader sees the old bytes or the new, never a part.
 * When it fails nothing is left behind. `durable` syncs the file and its folder, at the same time, before it resolves.
 */
export async function replace<T>(path: string, options: ReplaceOptions, fill: (fd: number) => T | Promise<T>): Promise<T> {
  const kept = options.mode === 'kept';
  const folder = dirname(path);
  const temporary = join(folder, `.w-${OURS}-${(made += 1)}`);
  const fd = openNew(temporary, options.mode === 'kept' ? 0o666 : (options.mode ?? 0o600), kept ? 0o777 : 0o700);
  let standing = temporary;
  try {
    const result = await fill(fd);
    if (kept) takeOver(path, temporary);
    renameSync(temporary, path);
    standing = path;
    if (options.durable) await syncBoth(fd, folder);
    return result;
  } catch (error) {
    rmSync(standing, { force: true });
    throw error;
  } finally {
    closeSync(fd);
  }
}

/** One flush of the disk serves both. Neither is under way any more when this settles. */
async function syncBoth(fd: number, folder: string): Promise<void> {
  for (const one of await Promise.allSettled([sync(fd), syncFolder(folder)])) if (one.status === 'rejected') throw one.reason;
}

/**
 * Fills a file that did not exist under its own name, and makes its bytes and its name durable at the same time: one wait for the disk
 * where `replace` needs two. For what nobody reads before this resolves. Null, with nothing touched, when something stands there.
 */
export async function create<T>(path: string, mode: number, fill: (fd: number) => T | Promise<T>): Promise<{ readonly filled: T } | null> {
  const fd = openUnlessThere(path, mode);
  if (fd === null) return null;
  try {
    const filled = await fill(fd);
    await bothSynced(fd, dirname(path));
    return { filled };
  } catch (error) {
    rmSync(path, { force: true });
    throw error;
  } finally {
    closeSync(fd);
  }
}

function openUnlessThere(path: string, mode: number): number | null {
  try {
    return openNew(path, mode, 0o700);
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return null;
    throw error;
  }
}

/** Both are over before the first failure is told: a descriptor must not be closed under a sync. */
async function bothSynced(fd: number, folder: string): Promise<void> {
  const ends = await Promise.allSettled([sync(fd), syncFolder(folder)]);
  for (const end of ends) if (end.status === 'rejected') throw end.reason;
}

function openNew(path: string, mode: number, folderMode: number): number {
  const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW;
  try {
    return openSync(path, flags, mode);
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') throw error;
    makeFolders(dirname(path), folderMode);
    return openSync(path, flags, mode);
  }
}

/** Gives the new file the mode, and as far as allowed the owner, of the one it replaces. */
function takeOver(path: string, temporary: string): void {
  const old = statSync(path, { throwIfNoEntry: false });
  if (!old?.isFile()) return;
  const fresh = statSync(temporary);
  if (fresh.uid !== old.uid || fresh.gid !== old.gid) {
    try {
      chownSync(temporary, old.uid, old.gid);
    } catch {
      // Only root may give files away.
    }
  }
  chmodSync(temporary, old.mode & 0o7777);
}

async function syncFolder(folder: string): Promise<void> {
  const fd = openSync(folder, constants.O_RDONLY | constants.O_DIRECTORY);
  try {
    await sync(fd);
  } finally {
    closeSync(fd);
  }
}
