/** What a stage is given, copied into the run's own folder before anything runs. */
import { join } from 'node:path';
import type { Disk } from '../ports/disk.js';
import type { Ending } from '../stage/decide.js';
import { fault } from '../stage/ending.js';
import type { Given } from '../stage/scope.js';
import { GIVEN } from './place.js';

export type Taken = { readonly ok: true; readonly given: readonly Given[] } | { readonly ok: false; readonly ending: Ending };

/** Durable, and each file the one that was looked at: one that changed meanwhile ends the run. Rejects with a DiskError. */
export async function takeGiven(files: readonly Given[], folder: string, disk: Pick<Disk, 'copy'>): Promise<Taken> {
  const given: Given[] = [];
  for (const { name, file, sha256 } of files) {
    const to = join(folder, GIVEN, name);
    const copied = await disk.copy(file, to, { durable: true });
    if (copied.sha256 !== sha256) return { ok: false, ending: fault(`${file} changed while the run was starting.`) };
    given.push({ name, file: to, sha256 });
  }
  return { ok: true, given };
}
