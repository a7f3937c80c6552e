import { closeSync, openSync, rmSync } from 'node:fs';
import { lstat, mkdir } from 'node:fs/promises';
import type { Claims, Ownership } from '../ports/claims.js';
import { writeAll } from './disk/digest.js';
import { asDiskError, codeOf, isAbsent } from './disk/guard.js';

/** The port on the real file system. */
export const claims: Claims = {
  async folder(path) {
    return won('make folder', path, () => mkdir(path, { mode: 0o700 }));
  },
  async file(path, text) {
    return won('claim', path, () => writeNew(path, text));
  },
  async owner(path): Promise<Ownership> {
    try {
      const stats = await lstat(path);
      if (stats.isSymbolicLink()) return 'link';
      if (!stats.isDirectory()) return 'no-folder';
      return process.getuid === undefined || stats.uid === process.getuid() ? 'own-folder' : 'foreign-folder';
    } catch (error) {
      if (isAbsent(error)) return 'absent';
      throw asDiskError('look at', path, error);
    }
  },
};

/** In one go, so that hardly a death of this process can leave it without its text. */
function writeNew(path: string, text: string): void {
  const fd = openSync(path, 'wx', 0o600);
  try {
    try {
      writeAll(fd, Buffer.from(text));
    } finally {
      closeSync(fd);
    }
  } catch (error) {
    rmSync(path, { force: true });
    throw error;
  }
}

async function won(operation: string, path: string, act: () => unknown): Promise<boolean> {
  try {
    await act();
    return true;
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false;
    throw asDiskError(operation, path, error);
  }
}
