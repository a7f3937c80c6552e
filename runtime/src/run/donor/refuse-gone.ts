import { join } from 'node:path';
import { ASSEMBLY_COPY } from '@gated-flow/record';
import { shellWord } from '../../plan/fix.js';
import { realPath } from '../../plan/real-path.js';
import type { Disk } from '../../ports/disk.js';
import { type Donor, refusedDonor, type RefusedDonor } from './donor.js';

/** Says it when the assembly or the working tree of the donor is no longer where it was, and nothing else was named. */
export async function refuseGone(
  { name, folder, view }: Donor,
  said: { readonly assembly?: string; readonly in?: string },
  disk: Pick<Disk, 'real' | 'look'>,
): Promise<RefusedDonor | null> {
  if (said.assembly === undefined && !(await isFolder(view.assembly, disk))) {
    const copy = join(folder, ASSEMBLY_COPY);
    return refusedDonor(
      `The assembly of ${name} is no longer at ${view.assembly}. Name its new place with --assembly DIR. The run's own copy is ${copy}.`,
      `cp -R ${shellWord(copy)} ${shellWord(view.assembly)}`,
    );
  }
  if (said.in === undefined && !(await isFolder(view.workdir, disk))) {
    return refusedDonor(`The working tree of ${name}, ${view.workdir}, is gone. Name another one with --in DIR.`);
  }
  return null;
}

async function isFolder(path: string, disk: Pick<Disk, 'real' | 'look'>): Promise<boolean> {
  const real = await realPath(path, disk);
  return real !== null && (await disk.look(real))?.kind === 'folder';
}
