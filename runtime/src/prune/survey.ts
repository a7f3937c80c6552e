/** Every run of a home with what decides whether it may go. Nothing is changed. */
import { join } from 'node:path';
import { glanceAt, type Glance } from '@gated-flow/record';
import { compareBytes } from '@gated-flow/text';
import type { Disk } from '../ports/disk.js';
import type { KeptTrees } from '../ports/kept-trees.js';
import { runNames } from '../record/find-run.js';
import { runPlace, type RunPlace } from '../record/run-place.js';
import { isAlive, type LockPorts, runState, type RunState } from '../record/run-state.js';
import type { Candidate } from './choose.js';
import { treeIn } from './tree.js';

export interface SurveyPorts extends LockPorts {
  readonly disk: Pick<Disk, 'look' | 'list' | 'readHead' | 'measure'>;
  readonly trees: KeptTrees;
}

export interface Surveyed extends Candidate {
  readonly place: RunPlace;
  /** `unreadable` when its record's first line is none. */
  readonly state: RunState | 'unreadable';
  /** The working tree of its own that still stands; null for none. */
  readonly tree: string | null;
}

/** Newest first. Rejects with a DiskError when the home cannot be read. */
export async function surveyRuns(home: string, ports: SurveyPorts): Promise<readonly Surveyed[]> {
  const runs: Surveyed[] = [];
  for (const name of await runNames({ home, cwd: home, disk: ports.disk })) runs.push(await surveyRun(runPlace(home, name), ports));
  return runs.sort((a, b) => b.began - a.began || compareBytes(b.run, a.run));
}

async function surveyRun(place: RunPlace, ports: SurveyPorts): Promise<Surveyed> {
  const { folder, name: run } = place;
  const glance = await glanceAt(folder).catch(() => null);
  const end = glance?.last?.event === 'run_end' ? glance.last : null;
  const state = glance?.start ? await runState(folder, end?.cause ?? null, ports) : 'unreadable';
  const tree = treeIn(glance?.start ?? null);
  return {
    ...{ place, run, state, began: beganOf(run, glance), bytes: await ports.disk.measure(folder, Infinity) },
    tree: tree !== null && (await ports.disk.look(tree)) !== null ? tree : null,
    held: (await holder(place, ports)) ?? (tree === null ? null : await work(tree, ports.trees)),
  };
}

/** A lock that nobody has cleared away is that of a living run, or of one that this machine knows nothing about. */
export async function holder({ folder, lock, sweep }: RunPlace, ports: LockPorts): Promise<string | null> {
  if ((await ports.disk.look(folder))?.kind === 'link') return 'it is a link, and what a link leads to is no run of this home';
  if ((await ports.disk.look(lock)) !== null)
    return (await isAlive(folder, ports)) ? 'it is running' : 'it may be running on another machine or in a container';
  return (await ports.disk.look(sweep)) === null ? null : 'another command is clearing away what it left';
}

/** Why the working tree of a run keeps it; null when nothing of it would be lost. */
export async function work(tree: string, trees: KeptTrees): Promise<string | null> {
  switch (await trees.state(tree)) {
    case 'unmerged':
      return `its working tree holds work that is nowhere else: ${tree}`;
    case 'unknown':
      return `git cannot say whether work would be lost with its working tree: ${tree}`;
    case 'none':
    case 'merged':
      return null;
  }
}

/** When its record does not tell, its name does. */
function beganOf(name: string, glance: Glance | null): number {
  const told = Date.parse(glance?.start?.ts ?? '');
  return Number.isNaN(told) ? Date.parse(`${name.slice(0, 10)}T${name.slice(11, 19).replaceAll('-', ':')}Z`) || 0 : told;
}

/** Where a home keeps its runs. */
export function runsFolder(home: string): string {
  return join(home, 'runs');
}
