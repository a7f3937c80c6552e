import { dirname } from 'node:path';
import { DiskError, type Disk } from '../../ports/disk.js';

/** The real path; of what does not exist yet, that of its nearest existing parent with the rest. Null when it cannot be told. */
export async function realPlace(path: string, disk: Pick<Disk, 'real'>): Promise<string | null> {
  try {
    const real = await disk.real(path);
    if (real !== null) return real;
    const parent = dirname(path);
    if (parent === path) return null;
    const realParent = await realPlace(parent, disk);
    return realParent === null ? null : `${realParent === '/' ? '' : realParent}${path.slice(parent === '/' ? 0 : parent.length)}`;
  } catch (error) {
    if (error instanceof DiskError) return null;
    throw error;
  }
}
