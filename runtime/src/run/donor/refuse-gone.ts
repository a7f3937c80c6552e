import { join } from 'node:path';
import { ASSEMBLY_COPY } from '@gated-flow/record';
import { shellWord } from '../../plan/fix.js';
import type { Disk } from '../../ports/disk.js';
import { type Donor, refusedDonor, type RefusedDonor } from './donor.js';
import { isFolder } from './working-tree.js';

/** Says it when the assembly or the working tree of the donor is no longer where it was, and nothing else was named. */
export async function refuseGone(
  { name, folder, view }: Donor,
  said: { readonly assembly?: string; readonly in: string },
  disk: Pick<Disk, 'real' | 'look'>,
): Promise<RefusedDonor | null> {
  if (said.assembly === undefined && !(await isFolder(view.assembly, disk))) {
    const copy = join(folder, ASSEMBLY_COPY);
    return refusedDonor(
      `The assembly of ${name} is no longer at ${view.assembly}. Name its new place with --assembly DIR. The run's own copy is ${copy}.`,
      `cp -R ${shellWord(copy)} ${shellWord(view.assembly)}`,
    );
  }
  if ([view.workdir, view.isolated_from].includes(said.in) && !(await isFolder(said.in, disk))) {
    return refusedDonor(`The working tree of ${name}, ${said.in}, is gone. Name another one with --in DIR.`);
  }
  return null;
}
