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
    return { removed: 'kept', why: whyKept(error) };
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

/** What an earlier prune had put away and did not live to remove: how many went, and a sentence for each that could not. */
export interface LeftOver {
  readonly gone: number;
  readonly kept: readonly string[];
}

/** Removes what an earlier prune left; what cannot go keeps nothing else from going. Never rejects for a disk. */
export async function clearLeftOver(home: string, { disk }: Pick<RemovePorts, 'disk'>): Promise<LeftOver> {
  let gone = 0;
  const kept: string[] = [];
  for (const name of await leftIn(runsFolder(home), disk)) {
    try {
      await clear(join(runsFolder(home), name), disk);
      gone += 1;
    } catch (error) {
      kept.push(`What a prune left of ${name.slice(0, -AWAY.length)} is still there: ${whyKept(error)}.`);
    }
  }
  return { gone, kept };
}

async function leftIn(runs: string, disk: RemovePorts['disk']): Promise<readonly string[]> {
  try {
    return (await disk.list(runs)).filter((name) => name.endsWith(AWAY) && isRunName(name.slice(0, -AWAY.length)));
  } catch (error) {
    if (!(error instanceof DiskError)) throw error;
    return [];
  }
}

/** Half a sentence for a disk's error; any other is thrown on. */
function whyKept(error: unknown): string {
  if (!(error instanceof DiskError)) throw error;
  return `${error.operation} failed on ${error.path}: ${error.code}`;
}
