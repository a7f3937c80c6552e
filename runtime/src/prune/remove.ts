/** Takes whole runs away, so that a part of one is never read as a run. */
import { join } from 'node:path';
import { RECORD } from '@gated-flow/record';
import { type Disk, DiskError } from '../ports/disk.js';
import type { KeptTrees } from '../ports/kept-trees.js';
import { isRunName } from '../record/run-place.js';
import type { LockPorts } from '../record/run-state.js';
import { holder, runsFolder, type Surveyed, work } from './survey.js';

export interface RemovePorts extends LockPorts {
  readonly disk: Pick<Disk, 'look' | 'list' | 'readHead' | 'remove' | 'rename'>;
  readonly trees: KeptTrees;
}

/** `gone`: somebody else had removed it. `kept`: it may not go any more, or could not; `why` is half a sentence. */
export type Removed = { readonly removed: 'yes' | 'gone' } | { readonly removed: 'kept'; readonly why: string };

const AWAY = '.pruned';

/** Asks once more what held a run, renames it to what no command takes for a run, and removes that. Never rejects for a disk. */
export async function removeRun({ place, tree }: Surveyed, ports: RemovePorts): Promise<Removed> {
  const { disk, trees } = ports;
  try {
    const held = (await holder(place, ports)) ?? (tree === null ? null : await work(tree, trees));
    if (held !== null) return { removed: 'kept', why: held };
    if (tree !== null && !(await trees.drop(tree))) return { removed: 'kept', why: `its working tree could not be removed: ${tree}` };
    if (!(await putAway(place.folder, disk))) return { removed: 'gone' };
    await clear(`${place.folder}${AWAY}`, disk);
    await disk.remove(place.groups);
    return { removed: 'yes' };
  } catch (error) {
    if (!(error instanceof DiskError)) throw error;
    return { removed: 'kept', why: `${error.operation} failed on ${error.path}: ${error.code}` };
  }
}

/** False when nothing stands there any more. */
async function putAway(folder: string, disk: RemovePorts['disk']): Promise<boolean> {
  try {
    await disk.rename(folder, `${folder}${AWAY}`);
    return true;
  } catch (error) {
    if (error instanceof DiskError && error.code === 'ENOENT') return false;
    throw error;
  }
}

/** The record goes first: whatever is left when this process dies has none. What is no folder goes itself, never what it leads to. */
async function clear(away: string, disk: RemovePorts['disk']): Promise<void> {
  if ((await disk.look(away))?.kind === 'folder') await disk.remove(join(away, RECORD));
  await disk.remove(away);
}

/** Removes what an earlier prune had put away and did not live to remove. Answers how many there were. Never rejects for a disk. */
export async function clearLeftOver(home: string, { disk }: Pick<RemovePorts, 'disk'>): Promise<number> {
  let count = 0;
  try {
    for (const name of await disk.list(runsFolder(home))) {
      if (!name.endsWith(AWAY) || !isRunName(name.slice(0, -AWAY.length))) continue;
      await clear(join(runsFolder(home), name), disk);
      count += 1;
    }
  } catch (error) {
    if (!(error instanceof DiskError)) throw error;
  }
  return count;
}
