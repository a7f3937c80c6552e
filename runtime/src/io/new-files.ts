import { closeSync, openSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import type { NewFiles } from '../ports/new-files.js';
import { writeAll } from './disk/digest.js';
import { makeFolders } from './disk/folder.js';
import { codeOf, guarded } from './disk/guard.js';

/** The port on the real file system. */
export const newFiles: NewFiles = {
  file: (path, bytes, { executable }) =>
    guarded('make', path, () => {
      makeFolders(dirname(path), 0o777);
      const fd = openNew(path, executable ? 0o777 : 0o666);
      if (fd === null) return false;
      try {
        writeAll(fd, bytes);
      } catch (error) {
        rmSync(path, { force: true });
        throw error;
      } finally {
        closeSync(fd);
      }
      return true;
    }),
};

function openNew(path: string, mode: number): number | null {
  try {
    return openSync(path, 'wx', mode);
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return null;
    throw error;
  }
}
