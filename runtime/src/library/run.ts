import { resolve } from 'node:path';
import type { Fact } from '@gated-flow/record';
import type { Refusal } from '@gated-flow/assembly';
import type { Approve } from '../governance/approval/answer.js';
import { createClock } from '../io/clock.js';
import { createDisk } from '../io/disk.js';
import { openMachine } from '../io/machine.js';
import { networkFetch } from '../io/network.js';
import { processes } from '../io/processes.js';
import type { ModelWords } from '../models/choose.js';
import { loadConfig } from '../plan/config/load.js';
import { present } from '../plan/options/inheritable.js';
import type { OptionWords } from '../plan/invocation.js';
import { callRun, type World } from '../run/call.js';
import type { RunOutcome } from '../run/finish.js';
import type { RunWishes } from '../run/wishes.js';

/** A run in the words of the command line: what `flow run` takes, and nothing that it does not (chapter 2). */
export interface RunRequest {
  /** A path, or the name of an assembly in the home. */
  readonly target: string;
  /** A text, `@FILE`, or `@@text` for a text that begins with `@`. Absent: an empty request. Standard input is never read. */
  readonly request?: string;
  /** Where runs are kept; else `FLOW_HOME` and the usual places of `env`. */
  readonly home?: string;
  /** The working tree; else `cwd`. */
  readonly in?: string;
  /** Declared slots by name → path. */
  readonly slots?: Readonly<Record<string, string>>;
  /** Options of the nearest rung; text, as they would be typed. */
  readonly options?: OptionWords;
  readonly models?: ModelWords;
  readonly wishes?: RunWishes;
  /** A governance contract that is added to the assembly's: a file (V-1). */
  readonly governance?: string;
  /** Seconds, for the whole run. */
  readonly deadline?: number;
  /** USD, for the whole run. */
  readonly maxCost?: number;
}

/** Where the call is made. Nothing of the process is used that is not given here. */
export interface RunSurroundings {
  /** Absolute. */
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Aborting stops the run as SIGTERM would: everything it started ends, and the record says so. */
  readonly signal: AbortSignal;
  /** Told every fact of the record once it is written. */
  readonly onFact?: (fact: Fact) => void;
  /**
   * Asked for leave when a rule holds a call (V-5); the run waits as long as leave would hold, or as `wishes.approvalWait` says. Without
   * it nobody is asked, and such a stage ends as `rejected`.
   */
  readonly approve?: Approve;
}

/** How it ended (`outcome.ending.exit` is what the command would exit with), or why it was refused before it began. */
export type RunResult = { readonly ok: true; readonly outcome: RunOutcome } | { readonly ok: false; readonly refusals: readonly Refusal[] };

/**
 * Runs an assembly and resolves when it has ended and its record is sealed. Whatever happens to the work is an ending, not an
 * error (E-1); rejects with a `DiskError` only when no run could be born in the home.
 */
export async function run(request: RunRequest, surroundings: RunSurroundings): Promise<RunResult> {
  const { target, slots = {}, options = {}, models = { kind: 'provider' }, wishes = {}, deadline, maxCost } = request;
  const { onFact, approve } = surroundings;
  const called = await callRun(
    {
      invocation: {
        target,
        request: { words: request.request === undefined ? [] : [request.request], none: request.request === undefined },
        slots: Object.entries(slots).map(([name, path]) => ({ name, path })),
        optionNames: [],
        options,
        route: false,
        ...present({ home: request.home, in: request.in, deadline: deadline?.toString(), maxCost: maxCost?.toString() }),
        ...present({ governance: request.governance }),
      },
      models,
      wishes,
      watch: () => present({ onFact, approve }),
    },
    worldOf(surroundings),
  );
  return called.ok ? { ok: true, outcome: called.outcome } : called;
}

/** The world of a call from a program: nothing of the process is used that the surroundings do not name. */
export function worldOf({ cwd, env, signal }: RunSurroundings): World {
  const disk = createDisk();
  return {
    cwd: resolve(cwd),
    stdin: { isTerminal: true, read: () => Promise.resolve(new Uint8Array()), notice: () => {} },
    readConfig: (home) => loadConfig(home, disk),
    fetch: networkFetch,
    calm: { disk, clock: createClock(), env, processes },
    machine: () => openMachine(env, signal),
  };
}
