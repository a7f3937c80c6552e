import { createHash } from 'node:crypto';
import { join } from 'node:path';
import type { Fact } from '@gated-flow/record';
import { createRedactor, secretValues, type Redactor } from '@gated-flow/text';
import type { Prepared } from '../plan/prepare.js';
import { DiskError } from '../ports/disk.js';
import type { Programs } from '../ports/programs.js';
import { claimRun, type ClaimedRun } from '../record/claim.js';
import { openRecord, type RunRecorder } from '../record/open-record.js';
import type { Given } from '../stage/scope.js';
import { openBudget, type Budget } from './budget.js';
import { withDeadline, type RunStop } from './deadline.js';
import type { Machine } from './machine.js';
import type { RunOptions } from './options.js';
import { scratchPath } from './scratch.js';

/** A run that exists: it has a name, a folder and the first line of its record. */
export interface Born {
  readonly claimed: ClaimedRun;
  readonly recorder: RunRecorder;
  readonly redactor: Redactor;
  readonly budget: Budget;
  readonly stop: RunStop;
  readonly programs: Programs;
  /** Absolute. */
  readonly scratch: string;
  readonly request: Given;
  /** From now on a signal writes nothing into the record: it is about to end. */
  quiet(): void;
}

/** Claims the run and writes its first line. Rejects with a DiskError before that, in which case nothing of it is left. */
export async function begin(prepared: Prepared, options: RunOptions, machine: Machine): Promise<Born> {
  const claimed = await claimRun(prepared.home, machine);
  const redactor = createRedactor(secretValues(machine.env, prepared.config.redact));
  const recorder = told(openRecord(machine.openAppend(join(claimed.folder, 'record.jsonl')), machine.clock), options.onFact);
  const request = requestFile(prepared, claimed.folder);
  recorder.append(startOf(prepared, { options, machine, run: claimed.name, redactor, request }));

  const quiet = noteSignals(machine, recorder);
  const scratch = scratchPath({ env: machine.env, temporary: machine.temporary, workdir: prepared.workdir }, machine.ids.hex(16));
  claimed.scratch(scratch);
  return {
    claimed,
    recorder,
    redactor,
    budget: openBudget(prepared.limits.maxCostUsd),
    stop: withDeadline(machine.signals, machine.clock, prepared.limits.deadlineSeconds),
    programs: machine.programs((leader) => claimed.group(leader)),
    scratch,
    request,
    quiet,
  };
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
}

function startOf({ plan, request, workdir }: Prepared, { options, machine, run, redactor, request: file }: Starting): Fact {
  return {
    event: 'run_start',
    record: 1,
    runtime: { name: 'gated-flow', version: machine.version, node: machine.node },
    run,
    assembly: plan.source,
    assembly_hash: plan.assembly.hash,
    flow: plan.flow?.name ?? '',
    request: { path: file.name, sha256: file.sha256, bytes: request.bytes.length, from: request.from },
    workdir,
    model_source: options.source,
    ...(options.correlation === undefined ? {} : { correlation: redactor.text(options.correlation) }),
  };
}

/** A signal is a fact of the run from the moment it arrives (E-2). A record that cannot take it any more is told of at the end. */
function noteSignals({ signals }: Machine, recorder: RunRecorder): () => void {
  const note = (): void => {
    const reason = signals.reason();
    if (reason?.stop !== 'signal') return;
    try {
      recorder.append({ event: 'signal', signal: reason.signal, name: reason.name });
    } catch (error) {
      if (!(error instanceof DiskError)) throw error;
    }
  };
  signals.signal.addEventListener('abort', note, { once: true });
  return () => signals.signal.removeEventListener('abort', note);
}

/** Tells every fact to whoever watches, after it was written. */
function told(recorder: RunRecorder, onFact: RunOptions['onFact']): RunRecorder {
  return {
    ...recorder,
    append(fact) {
      recorder.append(fact);
      onFact?.(fact);
    },
  };
}
