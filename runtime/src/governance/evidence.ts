import { isAbsolute, join } from 'node:path';
import { isWithin } from '../agent/tools/place.js';
import { DiskError, type Disk } from '../ports/disk.js';

/** Folders in which a named file may lie: absolute. */
export interface EvidenceFolders {
  readonly PWD: string;
  readonly INPUT?: string;
}

const SLOT = /^\$\{?(PWD|INPUT)\}?\/(.+)$/s;

/** Whether a regular file of that name lies in one of the folders, by its real path: a link that leads out names none (V-9). */
export async function isFileIn(name: string, folders: EvidenceFolders, disk: Pick<Disk, 'real' | 'look'>): Promise<boolean> {
  const roots = [folders.PWD, ...(folders.INPUT === undefined ? [] : [folders.INPUT])];
  const [, slot, rest = ''] = SLOT.exec(name) ?? [];
  const root = slot === 'PWD' ? folders.PWD : slot === 'INPUT' ? folders.INPUT : undefined;
  if (slot !== undefined && root === undefined) return false;
  const places = root !== undefined ? [join(root, rest)] : isAbsolute(name) ? [name] : roots.map((folder) => join(folder, name));
  try {
    const real = (await Promise.all(roots.map((folder) => disk.real(folder)))).filter((folder) => folder !== null);
    for (const place of places) {
      const at = await disk.real(place);
      if (at === null || !real.some((folder) => isWithin(at, folder))) continue;
      if ((await disk.look(at))?.kind === 'file') return true;
    }
    return false;
  } catch (error) {
    if (error instanceof DiskError) return false;
    throw error;
  }
}
