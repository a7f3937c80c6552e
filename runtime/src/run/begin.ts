import { createHash } from 'node:crypto';
import { join } from 'node:path';
import type { Refusal, Snapshot } from '@gated-flow/assembly';
import { ASSEMBLY_COPY, type Fact, namedFiles, RECORD, type SealedFile } from '@gated-flow/record';
import { createRedactor, secretValues, type Redactor } from '@gated-flow/text';
import type { Prepared } from '../plan/prepare.js';
import { DiskError } from '../ports/disk.js';
import type { Programs } from '../ports/programs.js';
import type { StopReason } from '../ports/stop.js';
import type { Worktree } from '../ports/worktree.js';
import { claimRun, type ClaimedRun } from '../record/claim.js';
import { openRecord, type RunRecorder } from '../record/open-record.js';
import { told } from '../record/told.js';
import { sweepHome } from '../record/sweep.js';
import type { Given } from '../stage/scope.js';
import { openBudget, type Budget } from './budget.js';
import { withDeadline, type RunStop } from './deadline.js';
import type { Machine } from './machine.js';
import { neighbours } from './neighbours.js';
import type { RunOptions } from './options.js';
import type { PendingRequest } from './pending.js';
import { startFields } from './start-and-end.js';
import { scratchPath } from './scratch.js';

/** A run that exists: it has a name, a folder and the first line of its record. */
export interface Born {
  readonly claimed: ClaimedRun;
  readonly recorder: RunRecorder;
  readonly redactor: Redactor;
  readonly budget: Budget;
  readonly stop: RunStop;
  readonly programs: Programs;
  /** Whether any program was ever started: without one nothing can be left running. */
  startedPrograms(): boolean;
  /** Absolute. */
  readonly scratch: string;
  /** `$PWD` of the stages: absolute. */
  readonly workdir: string;
  /** The run's own working tree, with `--isolate`. */
  readonly worktree: Worktree | null;
  readonly request: Given;
  /** Every output sealed so far. */
  readonly outputs: readonly SealedFile[];
  /** What the run's folder must hold in the end: path in it → SHA-256, as the events said and as the assembly was read. */
  readonly named: ReadonlyMap<string, string>;
  /** Requests for leave that nobody answered; whoever asks adds them (V-5). */
  readonly pending: PendingRequest[];
  /** Adds a file of a child run to that. */
  vouch(path: string, sha256: string): void;
  /** Done before the record is sealed, the last one first. */
  beforeSeal(act: () => void | Promise<void>): void;
  /** Does that. Rejects with a DiskError. */
  settleAll(): Promise<void>;
  /** From now on a signal writes nothing into the record: it is about to end. */
  quiet(): void;
}

export type Begun = { readonly ok: true; readonly born: Born } | { readonly ok: false; readonly refusals: readonly Refusal[] };

/** Claims the run and writes its first line. Refused, or rejected with a DiskError, nothing of it is left. */
export async function begin(prepared: Prepared, options: RunOptions, machine: Machine): Promise<Begun> {
  await sweepHome(prepared.home, machine, (sentence) => options.onNotice?.(sentence));
  const claimed = await claimRun(prepared.home, machine);
  try {
    const tree = await openTree(prepared.workdir, { claimed, options, machine });
    if (!tree.ok) {
      await unclaim(claimed, machine);
      return { ok: false, refusals: [{ code: 'value-invalid', path: 'command', message: `--isolate: ${tree.message}` }] };
    }
    return { ok: true, born: await bearIn(tree.worktree, prepared, { claimed, options, machine }) };
  } catch (error) {
    await unclaim(claimed, machine);
    throw error;
  }
}

/** A tree of its own that no run was born for goes again: nothing was changed in it. */
async function bearIn(worktree: Worktree | null, prepared: Prepared, claim: Claimed): Promise<Born> {
  try {
    await tellNeighbours(prepared, claim);
    return bear(prepared, { ...claim, worktree });
  } catch (error) {
    await worktree?.close('failure');
    throw error;
  }
}

interface Claimed {
  readonly claimed: ClaimedRun;
  readonly options: RunOptions;
  readonly machine: Machine;
}

function bear(prepared: Prepared, { claimed, options, machine, worktree }: Claimed & { readonly worktree: Worktree | null }): Born {
  const workdir = worktree?.workdir ?? prepared.workdir;
  const redactor = createRedactor(secretValues(machine.env, prepared.config.redact));
  const outputs: SealedFile[] = [];
  const closing: (() => void | Promise<void>)[] = [];
  const named = new Map(assemblyFiles(prepared.plan.assembly.snapshot));
  const recorder = told(openRecord(machine.openAppend(join(claimed.folder, RECORD)), machine.clock), (fact) => {
    if (fact.event === 'stage_end' && fact.sealed && fact.output) outputs.push(fact.output);
    for (const { path, sha256 } of namedFiles(fact)) named.set(path, sha256);
    options.onFact?.(fact, null);
  });
  const request = requestFile(prepared, claimed.folder);
  recorder.append(startOf(prepared, { options, machine, run: claimed.name, redactor, request, workdir, isolated: worktree !== null }));
  const scratch = scratchPath({ env: machine.env, temporary: machine.temporary, workdir }, machine.ids.hex(16));
  claimed.scratch(scratch);
  let started = false;
  const programs = machine.programs((leader) => {
    started = true;
    claimed.group(leader);
  });
  const quiet = heedSignals(machine, (signal) => {
    note(recorder, signal);
    if (started) void programs.sweep(scratch, scratch);
  });
  return {
    claimed,
    recorder,
    redactor,
    budget: openBudget(prepared.limits.maxCostUsd),
    stop: withDeadline(machine.signals, machine.clock, prepared.limits.deadlineSeconds),
    programs,
    startedPrograms: () => started,
    scratch,
    workdir,
    worktree,
    request,
    outputs,
    named,
    pending: [],
    beforeSeal: (act) => void closing.unshift(act),
    async settleAll() {
      for (const act of closing.splice(0)) await act();
    },
    vouch: (path, sha256) => void named.set(path, sha256),
    quiet,
  };
}

function assemblyFiles({ entries }: Snapshot): (readonly [path: string, sha256: string])[] {
  return [...entries.values()].flatMap((entry) =>
    entry.kind === 'file' ? [[`${ASSEMBLY_COPY}/${entry.path}`, entry.sha256] as const] : [],
  );
}

/** The worktree stands in the cache under a name that tells an agent nothing (S-6, O-7). */
async function openTree(
  from: string,
  { claimed, options, machine }: Claimed,
): Promise<{ ok: true; worktree: Worktree | null } | { ok: false; message: string }> {
  if (options.isolate === undefined) return { ok: true, worktree: null };
  const folder = scratchPath({ env: machine.env, temporary: machine.temporary, workdir: from }, machine.ids.hex(16));
  claimed.tree({ folder, from });
  return machine.worktrees.open({ from, folder, branch: `flow/${claimed.name}`, dirty: options.isolate === 'dirty' });
}

async function unclaim(claimed: ClaimedRun, { disk }: Machine): Promise<void> {
  await disk.remove(claimed.folder);
  await claimed.release();
}

async function tellNeighbours({ home, workdir }: Prepared, { claimed, options, machine }: Claimed): Promise<void> {
  if (options.isolate !== undefined) return;
  for (const run of await neighbours({ home, workdir, own: claimed.name }, machine)) {
    options.onNotice?.(`The run ${run} is working in the same tree, ${workdir}. --isolate gives a run a tree of its own.`);
  }
}

function requestFile({ request }: Prepared, folder: string): Given {
  const name = `request${request.extension}`;
  return { name, file: join(folder, name), sha256: createHash('sha256').update(request.bytes).digest('hex') };
}

interface Starting {
  readonly options: RunOptions;
  readonly machine: Machine;
  readonly run: string;
  readonly redactor: Redactor;
  readonly request: Given;
  readonly workdir: string;
  readonly isolated: boolean;
}

function startOf(prepared: Prepared, starting: Starting): Fact {
  const { plan, request, asked, workdir: from } = prepared;
  const { options, machine, run, redactor, request: file, workdir, isolated } = starting;
  return {
    ...startFields(prepared, {
      ...{ options, machine, run, workdir },
      flow: plan.flow?.name ?? '',
      request: { path: file.name, sha256: file.sha256, bytes: request.bytes.length, from: request.from },
    }),
    ...(isolated ? { isolated_from: from } : {}),
    ...(options.correlation === undefined ? {} : { correlation: redactor.text(options.correlation) }),
    ...(options.continuedFrom === undefined ? {} : { continued_from: options.continuedFrom }),
    ...(Object.keys(asked).length === 0 ? {} : { asked: redactor.json(asked) }),
  };
}

type Signal = StopReason & { readonly stop: 'signal' };

/** Acts once, when a signal arrives or when one has already. The answer takes that back. */
function heedSignals({ signals }: Machine, act: (signal: Signal) => void): () => void {
  const heed = (): void => {
    const reason = signals.reason();
    if (reason?.stop === 'signal') act(reason);
  };
  if (signals.signal.aborted) heed();
  signals.signal.addEventListener('abort', heed, { once: true });
  return () => signals.signal.removeEventListener('abort', heed);
}

/**
 * A signal is a fact of the run from the moment it arrives, and so is the end of everything the run started: all of it is told to
 * stop at once, whoever else waits for a part of it, so that ten seconds are enough (E-2). A record that cannot take the fact any
 * more is told of at the end.
 */
function note(recorder: RunRecorder, { signal, name }: Signal): void {
  try {
    recorder.append({ event: 'signal', signal, name });
  } catch (error) {
    if (!(error instanceof DiskError)) throw error;
  }
}
