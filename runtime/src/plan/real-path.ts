import { DiskError, type Disk } from '../ports/disk.js';

/** The real path of what was typed or written; null when nothing is there, and when the system cannot even look (a name that is too long). */
export async function realPath(path: string, disk: Pick<Disk, 'real'>): Promise<string | null> {
  try {
    return await disk.real(path);
  } catch (error) {
    if (error instanceof DiskError) return null;
    throw error;
  }
}
