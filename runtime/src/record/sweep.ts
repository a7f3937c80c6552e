/** What a run left behind whose own process was killed, cleared away by the next command in its home (R-7, S-6). */
import { basename, join } from 'node:path';
import type { Claims } from '../ports/claims.js';
import { DiskError, type Disk } from '../ports/disk.js';
import { quietly } from './quietly.js';
import type { Processes } from '../ports/processes.js';
import type { EndRemains } from '../ports/remains.js';
import { type KeptTree, type LeftBehind, lockText, parseGroups, parseLock, parsePlace } from './marks.js';
import { isRunName, runPlace, type RunPlace } from './run-place.js';
import { sweptSentence, type Swept } from './sweep-sentence.js';

export interface SweepPorts {
  readonly disk: Pick<Disk, 'list' | 'look' | 'read' | 'readHead' | 'real' | 'remove'>;
  readonly claims: Pick<Claims, 'file' | 'owner'>;
  readonly processes: Processes;
  readonly endRemains: EndRemains;
}

const LOCK = '.lock';
const LOCK_MAX_BYTES = 4096;
/** As a run names its scratch. Nothing else is ever removed, and no process ended for it, whatever a file says. */
const SCRATCH_NAME = /^w-[0-9a-f]{16}$/;

/**
 * Ends the processes of dead runs, removes their scratch and their locks, and tells one sentence for each run that had left something.
 * Costs one listing while no lock is dead. Never rejects for a disk: what stands in the way is told, and nobody's command fails for it.
 */
export async function sweepHome(home: string, ports: SweepPorts, tell: (sentence: string) => void): Promise<void> {
  const dead = await quietly(() => deadRuns(home, ports), []);
  for (const sentence of await Promise.all(dead.map((one) => sweepRun(one, ports)))) if (sentence !== null) tell(sentence);
}

interface DeadRun {
  readonly place: RunPlace;
  /** False when its machine has been started anew since: nothing of it runs any more, and its process numbers mean nothing. */
  readonly sameBoot: boolean;
}

async function deadRuns(home: string, ports: SweepPorts): Promise<readonly DeadRun[]> {
  const runs = join(home, 'runs');
  const names = (await ports.disk.list(runs)).filter((name) => name.endsWith(LOCK)).map((name) => name.slice(0, -LOCK.length));
  const dead: DeadRun[] = [];
  for (const name of names.filter(isRunName)) {
    const place = runPlace(home, name);
    const death = await quietly(() => deathOf(place, ports), null);
    if (death !== null) dead.push({ place, ...death });
  }
  if (dead.length === 0) return [];
  const own = (await ports.claims.owner(home)) === 'own-folder' && (await ports.claims.owner(runs)) === 'own-folder';
  return own ? dead : [];
}

/** Null unless the holder of the lock has certainly died: a run on another machine, or in a container of its own, may well live. */
async function deathOf(
  { lock, folder }: Pick<RunPlace, 'lock' | 'folder'>,
  { disk, processes }: SweepPorts,
): Promise<Omit<DeadRun, 'place'> | null> {
  const text = Buffer.from(await disk.readHead(lock, LOCK_MAX_BYTES)).toString();
  // A lock is written in one go: one without a word is of a run that died over it, and so was never born.
  if (text === '' && (await disk.look(folder)) === null) return { sameBoot: false };
  const holder = parseLock(text);
  const place = parsePlace(text);
  const here = processes.place();
  if (holder === null || place === null || place.host !== here.host) return null;
  if (holder.boot !== processes.self().boot) return { sameBoot: false };
  if (place.space !== here.space || processes.alive(holder)) return null;
  return { sameBoot: true };
}

async function sweepRun(dead: DeadRun, ports: SweepPorts): Promise<string | null> {
  const { place } = dead;
  if (!(await quietly(() => claim(place, ports), false))) return null;
  const swept = await quietly(() => clear(dead, ports), null);
  await quietly(() => ports.disk.remove(place.sweep), undefined);
  if (swept === null) return null;
  if (swept.trouble === null) await quietly(() => ports.disk.remove(place.lock), undefined);
  return sweptSentence(swept);
}

/** One command clears a run; another leaves it alone meanwhile. One that died over it is followed by the next. */
async function claim({ sweep, lock, folder }: RunPlace, ports: SweepPorts): Promise<boolean> {
  const { claims, disk, processes } = ports;
  const text = lockText(processes.self(), processes.place());
  if (!(await claims.file(sweep, text))) {
    if ((await deathOf({ lock: sweep, folder }, ports)) === null) return false;
    await disk.remove(sweep);
    if (!(await claims.file(sweep, text))) return false;
  }
  if ((await disk.look(lock)) !== null) return true;
  await disk.remove(sweep);
  return false;
}

async function clear({ place, sameBoot }: DeadRun, { disk, endRemains }: SweepPorts): Promise<Swept> {
  const left = await leftBehind(place, disk);
  const scratch = left.scratch.filter((path) => SCRATCH_NAME.test(basename(path)));
  const folder = (await disk.real(place.folder)) ?? place.folder;
  const processes = sameBoot ? await endRemains({ groups: left.groups, scratch, folder }) : 0;
  let removed = 0;
  let trouble: string | null = null;
  for (const path of scratch) {
    if ((await disk.look(path))?.kind !== 'folder') continue;
    const error = await attempt(() => disk.remove(path));
    if (error === null) removed += 1;
    else trouble ??= `${path} (${error.code})`;
  }
  const trees: KeptTree[] = [];
  for (const tree of left.trees) {
    if (SCRATCH_NAME.test(basename(tree.folder))) await attempt(() => disk.remove(`${tree.folder}.index`));
    if ((await disk.look(tree.folder))?.kind === 'folder') trees.push(tree);
  }
  if (trouble === null) await disk.remove(place.groups);
  return { run: place.name, processes, scratch: removed, trees, trouble };
}

async function leftBehind({ groups }: RunPlace, disk: SweepPorts['disk']): Promise<LeftBehind> {
  if ((await disk.look(groups))?.kind !== 'file') return { groups: [], scratch: [], trees: [] };
  return parseGroups(Buffer.from(await disk.read(groups)).toString());
}

async function attempt(act: () => Promise<void>): Promise<DiskError | null> {
  return act().then(
    () => null,
    (error: unknown) => {
      if (error instanceof DiskError) return error;
      throw error;
    },
  );
}
