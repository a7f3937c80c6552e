import { createWriteStream } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { makeFolders } from './disk/folder.js';
import { guarded } from './disk/guard.js';

/**
 * Writes text piece by piece into a sibling of the file, and puts it in place once it is whole: a reader sees the old file or the new.
 * Makes the folders on the way. Rejects with a DiskError, or with what the pieces reject with; nothing is left of it then.
 */
export async function writeTextFile(path: string, pieces: AsyncIterable<string>): Promise<void> {
  const part = `${path}.${process.pid}.part`;
  await guarded('write', path, async () => {
    makeFolders(dirname(path), 0o777);
    try {
      await pipeline(Readable.from(pieces), createWriteStream(part));
      await rename(part, path);
    } catch (error) {
      await rm(part, { force: true });
      throw error;
    }
  });
}
