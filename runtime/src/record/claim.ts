import { dirname } from 'node:path';
import type { Claims } from '../ports/claims.js';
import type { AppendFile, OpenAppend } from '../ports/append.js';
import type { Clock } from '../ports/clock.js';
import type { Disk } from '../ports/disk.js';
import { DiskError } from '../ports/disk.js';
import type { Ids } from '../ports/ids.js';
import type { ProcessMark, Processes } from '../ports/processes.js';
import { groupLine, type KeptTree, lockText, scratchLine, treeLine } from './marks.js';
import type { RunPlace } from './run-place.js';
import { runName, runPlace } from './run-place.js';

export interface ClaimPorts {
  readonly clock: Pick<Clock, 'now'>;
  readonly ids: Pick<Ids, 'hex'>;
  readonly claims: Claims;
  readonly processes: Processes;
  readonly disk: Pick<Disk, 'remove'>;
  readonly openAppend: OpenAppend;
}

/** A run's folder, ours alone until `release`. */
export interface ClaimedRun extends RunPlace {
  /** Notes a process group before anything relies on it, for a later command to end should this process die. Throws a `DiskError`. */
  group(leader: ProcessMark): void;
  /** Notes a scratch folder of this run (S-6). Throws a `DiskError`. */
  scratch(path: string): void;
  /** Notes the working tree that this run is about to make for itself (O-7). Throws a `DiskError`. */
  tree(kept: KeptTree): void;
  /** Takes lock and groups away: the run is over and left nothing behind. */
  release(): Promise<void>;
}

const TRIES = 100;

/** Claims a new run in an open home. The lock is whole before the folder exists, so a folder without one is never a run being born. Rejects with a `DiskError`. */
export async function claimRun(home: string, ports: ClaimPorts): Promise<ClaimedRun> {
  for (let tries = 0; tries < TRIES; tries += 1) {
    const place = runPlace(home, runName(ports.clock.now(), ports.ids.hex(4)));
    if (await claimPlace(place, ports)) return holdRun(place, ports);
  }
  throw new DiskError('claim a run in', home, 'EEXIST');
}

/**
 * Marks of what starts programs as a run does and keeps no record, so that the next command clears after it when it is killed.
 * Nothing is made for it: null where there is no home with runs yet, or none that can be written.
 */
export async function markWork(home: string, ports: ClaimPorts): Promise<Pick<ClaimedRun, 'group' | 'scratch' | 'release'> | null> {
  const place = runPlace(home, runName(ports.clock.now(), ports.ids.hex(4)));
  try {
    for (const folder of [home, dirname(place.lock)]) if ((await ports.claims.owner(folder)) !== 'own-folder') return null;
    const held = await ports.claims.file(place.lock, lockText(ports.processes.self(), ports.processes.place()));
    return held ? holdRun(place, ports) : null;
  } catch (error) {
    if (error instanceof DiskError) return null;
    throw error;
  }
}

async function claimPlace(place: RunPlace, ports: ClaimPorts): Promise<boolean> {
  if (!(await ports.claims.file(place.lock, lockText(ports.processes.self(), ports.processes.place())))) return false;
  try {
    if (await ports.claims.folder(place.folder)) return true;
  } catch (error) {
    await ports.disk.remove(place.lock);
    throw error;
  }
  await ports.disk.remove(place.lock);
  return false;
}

function holdRun(place: RunPlace, ports: ClaimPorts): ClaimedRun {
  let file: AppendFile | null = null;
  const note = (line: string): void => {
    file ??= ports.openAppend(place.groups);
    file.append(Buffer.from(line));
  };
  return {
    ...place,
    group: (leader) => note(groupLine(leader)),
    scratch: (path) => note(scratchLine(path)),
    tree: (kept) => note(treeLine(kept)),
    async release() {
      file?.close();
      await ports.disk.remove(place.groups);
      await ports.disk.remove(place.lock);
    },
  };
}
