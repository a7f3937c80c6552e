import { closeSync, lstatSync, readdirSync, realpathSync, renameSync } from 'node:fs';
import type { Disk, Standing } from '../ports/disk.js';
import { copyFile, hashFile, writeAll } from './disk/digest.js';
import { makeFolders } from './disk/folder.js';
import { asDiskError, guarded, isAbsent } from './disk/guard.js';
import { openRegular, piecesOf, readStart } from './disk/regular.js';
import { replace } from './disk/replace.js';
import { measureTree, removeTree } from './disk/tree.js';

/**
 * Small operations are synchronous: each takes some ten microseconds, and handing it to another thread takes several times that.
 * What can be large (copying, hashing, removing and measuring a tree, making bytes durable) is not.
 */
export function createDisk(): Disk {
  return {
    read: (path) => guarded('read', path, () => readFrom(path, Number.MAX_SAFE_INTEGER)),
    readHead: (path, bytes) => guarded('read', path, () => readFrom(path, bytes)),
    stream,
    write: (path, content, options = {}) =>
      guarded('write', path, () => {
        const bytes = typeof content === 'string' ? Buffer.from(content) : content;
        return replace(path, options, (fd) => writeAll(fd, bytes));
      }),
    copy: (from, to, options = {}) => guarded('copy', from, () => copyFile(from, to, options)),
    hash: (path) => guarded('hash', path, () => hashFile(path)),
    look: (path) => guarded('look at', path, () => look(path)),
    real: (path) => guarded('resolve', path, () => real(path)),
    list: (path) => guarded('list', path, () => list(path)),
    makeFolder: (path) => guarded('make folder', path, () => makeFolders(path, 0o700)),
    remove: (path) => guarded('remove', path, () => removeTree(path)),
    rename: (from, to) => guarded('rename', from, () => renameSync(from, to)),
    measure: (path, limit) => guarded('measure', path, () => measureTree(path, limit)),
  };
}

function readFrom(path: string, bytes: number): Uint8Array {
  const file = openRegular('read', path, true);
  try {
    return readStart(file, bytes);
  } finally {
    closeSync(file.fd);
  }
}

async function* stream(path: string): AsyncGenerator<Uint8Array, void, void> {
  try {
    const file = openRegular('read', path, true);
    try {
      yield* piecesOf(file.fd);
    } finally {
      closeSync(file.fd);
    }
  } catch (error) {
    throw asDiskError('read', path, error);
  }
}

function look(path: string): Standing | null {
  try {
    const found = lstatSync(path);
    const kind = found.isFile() ? 'file' : found.isDirectory() ? 'folder' : found.isSymbolicLink() ? 'link' : 'other';
    return { kind, size: found.size, executable: (found.mode & 0o111) !== 0 };
  } catch (error) {
    return absentIsNull(error);
  }
}

function absentIsNull(error: unknown): null {
  if (isAbsent(error)) return null;
  throw error;
}

function real(path: string): string | null {
  try {
    return realpathSync.native(path);
  } catch (error) {
    return absentIsNull(error);
  }
}

function list(path: string): string[] {
  const names = readdirSync(path, { encoding: 'buffer' });
  return names.sort((a, b) => Buffer.compare(a, b)).map((name) => name.toString());
}
