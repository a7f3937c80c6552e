/** What a report is made from: a run that was read, and its child runs, one at a time. */
import type { RunView, StageView, SubflowView } from '@gated-flow/record';
import type { Redactor } from '@gated-flow/text';
import type { Disk } from '../ports/disk.js';
import { type ChildPorts, type ChildState, readChild } from '../record/child-run.js';
import type { OpenRun } from '../record/find-run.js';

export interface ReportSource {
  readonly run: OpenRun;
  readonly view: RunView;
  readonly disk: Pick<Disk, 'real' | 'look' | 'read' | 'readHead' | 'stream'>;
  readonly redactor: Redactor;
  /** Whether the run still goes on. */
  readonly alive: boolean;
}

/** The run itself, or a child run of it. */
export interface RunPart {
  readonly run: OpenRun;
  readonly view: RunView;
  readonly state: ChildState;
  /** Whether what failed in it failed the run: a child that its caller could do without does not. */
  readonly counts: boolean;
}

/** The run, then its child runs. Those that have no record here, or one that does not read, are told to `broken`. */
export async function* partsOf(
  { run, view, disk, alive }: ReportSource,
  broken: (child: string, state: ChildState) => void,
): AsyncGenerator<RunPart> {
  const state = view.ending !== null ? 'ended' : alive ? 'running' : 'incomplete';
  yield* partAndBelow({ run, view, state, counts: view.ending?.cause !== 'success' }, { ports: { disk, alive }, broken });
}

interface Walking {
  readonly ports: ChildPorts;
  readonly broken: (child: string, state: ChildState) => void;
}

async function* partAndBelow(part: RunPart, walking: Walking): AsyncGenerator<RunPart> {
  yield part;
  for (const call of part.view.subflows) {
    const { run, view, state } = await readChild(part.run, call, walking.ports);
    if (state === 'missing' || state === 'damaged') walking.broken(run.within.join('/'), state);
    if (view === null) continue;
    const counts = part.counts && view.ending?.cause !== 'success' && !succeeded(callerOf(call, part.view));
    yield* partAndBelow({ run, view, state, counts }, walking);
  }
}

/** The stage, or the container, that called. */
function callerOf({ stage, repeat }: SubflowView, { stages, containers }: RunView): { readonly cause: string | null } {
  const isCaller = (one: { readonly stage: string; readonly repeat?: number }): boolean => one.stage === stage && one.repeat === repeat;
  const caller = stages.find(isCaller);
  if (caller !== undefined) return { cause: caller.ending?.cause ?? null };
  const container = containers.find(isCaller);
  return { cause: container?.type === 'FANOUT' ? container.cause : null };
}

function succeeded({ cause }: { readonly cause: string | null }): boolean {
  return cause === 'success';
}

/** `02-draft`, `02-loop/01-draft (repeat 3)`, of a child run `06-map/j01/01-say`. */
export function placeOf({ run }: Pick<RunPart, 'run'>, { stage, repeat }: Pick<StageView, 'stage' | 'repeat'>): string {
  return `${[...run.within, stage].join('/')}${repeat === undefined ? '' : ` (repeat ${repeat})`}`;
}
