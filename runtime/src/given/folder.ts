/** The files of a folder that stands in for what a stage would be given. */
import { join } from 'node:path';
import { commandInvalid, found, refused, type Resolved } from '../plan/refusal.js';
import { realPath } from '../plan/real-path.js';
import { type Disk, DiskError } from '../ports/disk.js';
import type { Given } from '../stage/scope.js';

/**
 * Every visible file directly in `folder` (absolute), in name order; a link counts as the file it leads to. `$INPUT` is flat, so a folder
 * in it is refused, as is what cannot be read. `shown` is how the person named the folder.
 */
export async function readGivenFolder(
  folder: string,
  shown: string,
  disk: Pick<Disk, 'real' | 'look' | 'list' | 'hash'>,
): Promise<Resolved<readonly Given[]>> {
  try {
    const real = await realPath(folder, disk);
    if (real === null) return refused(commandInvalid('path-missing', `There is no folder ${shown}.`));
    if ((await disk.look(real))?.kind !== 'folder')
      return refused(commandInvalid('path-missing', `${shown} is no folder. The input of a stage is one.`));
    const given: Given[] = [];
    for (const name of (await disk.list(real)).filter((one) => !one.startsWith('.'))) {
      const file = await realPath(join(real, name), disk);
      const standing = file === null ? null : await disk.look(file);
      if (file === null || standing?.kind !== 'file') {
        const what = standing?.kind === 'folder' ? 'a folder' : 'no file that can be read';
        return refused(
          commandInvalid('path-missing', `${shown} holds ${JSON.stringify(name)}, which is ${what}; a stage is given files only.`),
        );
      }
      given.push({ name, file, sha256: (await disk.hash(file)).sha256 });
    }
    return found(given);
  } catch (error) {
    if (!(error instanceof DiskError)) throw error;
    return refused(commandInvalid('path-missing', `${error.path} could not be read: ${error.code}.`));
  }
}
