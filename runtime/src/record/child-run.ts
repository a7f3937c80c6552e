/** Child runs as a reader finds them: each has a record of its own below the caller's attempt (G-6, G-7, R-9). */
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import type { RunView, SubflowView } from '@gated-flow/record';
import { addUsage, childFolder, createRunFold, holdsRecord, noUsage, readRecord, RECORD } from '@gated-flow/record';
import type { Disk } from '../ports/disk.js';
import type { OpenRun } from './find-run.js';
import { runFile } from './read-run.js';

/**
 * `ended`: its record is whole. `running`: it has no end yet, and the outermost run lives. `incomplete`: it has no end. `damaged`: it does
 * not read, or is not what the caller's record says. `missing`: there is none.
 */
export type ChildState = 'ended' | 'running' | 'incomplete' | 'damaged' | 'missing';

export interface ChildRun {
  readonly call: SubflowView;
  readonly run: OpenRun;
  readonly state: ChildState;
  /** What can be read of it. */
  readonly view: RunView | null;
}

export interface ChildPorts {
  readonly disk: Pick<Disk, 'real' | 'look'>;
  /** Whether the outermost run still goes on. */
  readonly alive: boolean;
}

/** `06-map/j01` for an item of a fan-out, `02-draft/1` for a call of a stage, `02-loop/01-draft@2/1` for one in its second repeat. */
export function childWord({ stage = '', repeat, n, item }: Pick<SubflowView, 'stage' | 'repeat' | 'n' | 'item'>): string {
  return `${stage}${repeat === undefined ? '' : `@${repeat}`}/${item ?? n}`;
}

/** Reads one child of a run, in memory that grows with its stages. */
export async function readChild(caller: OpenRun, call: SubflowView, { disk, alive }: ChildPorts): Promise<ChildRun> {
  const folder = childFolder(call);
  const run = childOf(caller, call);
  const file = await runFile(caller.folder, `${folder}/${RECORD}`, disk);
  if (file === null) return { call, run, state: 'missing', view: null };
  const sum = createHash('sha256');
  const record = readRecord(file, { see: (bytes) => sum.update(bytes) });
  const fold = createRunFold();
  for await (const lines of record.pieces) for (const { event } of lines) if (event !== null) fold.add(event);
  const { state } = record.reading();
  const view = fold.view();
  if (state === 'invalid') return { call, run, state: 'damaged', view };
  if (state === 'incomplete') return { call, run, state: alive ? 'running' : 'incomplete', view };
  const altered = call.ending !== null && call.ending.record_sha256 !== sum.digest('hex');
  return { call, run, state: altered ? 'damaged' : 'ended', view };
}

export function childOf(caller: OpenRun, call: SubflowView): OpenRun {
  const folder = join(caller.folder, childFolder(call));
  return { ...caller, name: `${caller.name} ${childWord(call)}`, folder, within: [...caller.within, childWord(call)] };
}

/** A child, and all that was called below it. */
export interface ChildTally {
  readonly state: ChildState;
  /** Whether it counts as a success: its own whole record says so, and the caller's. */
  readonly success: boolean;
  /** Tokens and cost of it and of everything below. */
  readonly usage: RunView['usage'];
  /** Itself and everything below. */
  readonly runs: number;
  /** How many of those have no whole record. */
  readonly broken: number;
}

/** What the children of a run come to, by their folders, those below included. They are read one at a time. */
export async function tallyChildren(run: OpenRun, view: RunView, ports: ChildPorts): Promise<ReadonlyMap<string, ChildTally>> {
  const tallies = new Map<string, ChildTally>();
  await tallyBelow(run, view.subflows, { tallies, ports });
  return tallies;
}

interface Tallying {
  readonly tallies: Map<string, ChildTally>;
  readonly ports: ChildPorts;
}

async function tallyBelow(run: OpenRun, calls: readonly SubflowView[], tallying: Tallying): Promise<ChildTally[]> {
  const all: ChildTally[] = [];
  for (const call of calls) all.push(await tallyChild(run, call, tallying));
  return all;
}

async function tallyChild(caller: OpenRun, call: SubflowView, tallying: Tallying): Promise<ChildTally> {
  const { run, state, view } = await readChild(caller, call, tallying.ports);
  const below = await tallyBelow(run, view?.subflows ?? [], tallying);
  const whole = state === 'ended';
  const tally: ChildTally = {
    state,
    success: whole && view?.ending?.cause === 'success' && call.ending?.cause === 'success',
    usage: usageOf(view, below),
    runs: 1 + below.reduce((sum, { runs }) => sum + runs, 0),
    broken: (whole || state === 'running' ? 0 : 1) + below.reduce((sum, { broken }) => sum + broken, 0),
  };
  tallying.tallies.set(run.folder, tally);
  return tally;
}

/** The usage of a run together with that of everything it called. */
export function usageOf(view: RunView | null, below: Iterable<Pick<ChildTally, 'usage'>>): RunView['usage'] {
  const sum = noUsage();
  if (view !== null) addUsage(sum, view.usage);
  for (const { usage } of below) addUsage(sum, usage);
  return sum;
}

const CHILD = /^stages\/.+\/\d+\/\d+\/subflows\/\d+$/;

/** The folder of the outermost run that a folder is, or is a child run of. */
export async function outermostOf(folder: string): Promise<string> {
  for (let at = folder; ;) {
    const caller = await callerFolder(at);
    if (caller === null) return at;
    at = caller;
  }
}

async function callerFolder(folder: string): Promise<string | null> {
  for (let cut = folder.lastIndexOf('/stages/'); cut > 0; cut = folder.lastIndexOf('/stages/', cut - 1))
    if (CHILD.test(folder.slice(cut + 1)) && (await holdsRecord(folder.slice(0, cut)))) return folder.slice(0, cut);
  return null;
}
