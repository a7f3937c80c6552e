import { realPath } from '../../plan/real-path.js';
import type { Disk } from '../../ports/disk.js';
import type { Donor } from './donor.js';

export interface WorkingTree {
  /** Absolute. */
  readonly in: string;
  /** The work is to have a tree of its own again, as `--isolate` gives it. */
  readonly isolate?: 'clean';
}

/** Where the work of a donor goes on. An isolated run's own tree goes when nothing was changed in it (O-7): then where it was made from. */
export async function workingTree({ view }: Pick<Donor, 'view'>, disk: Pick<Disk, 'real' | 'look'>): Promise<WorkingTree> {
  if (view.isolated_from === undefined || (await isFolder(view.workdir, disk))) return { in: view.workdir };
  return { in: view.isolated_from, isolate: 'clean' };
}

export async function isFolder(path: string, disk: Pick<Disk, 'real' | 'look'>): Promise<boolean> {
  const real = await realPath(path, disk);
  return real !== null && (await disk.look(real))?.kind === 'folder';
}
