import type { Fact } from '@gated-flow/record';
import { present } from '../plan/options/inheritable.js';
import type { NoDonor } from '../run/donor/donor.js';
import type { RunOutcome } from '../run/finish.js';
import { callReplay } from '../run/replay/call.js';
import type { ReplayRow } from '../run/replay/rows.js';
import type { SandboxWords } from '../sandbox/wish.js';
import { type RunSurroundings, worldOf } from './run.js';

/** What `flow replay` takes (M-7). */
export interface ReplayRequest {
  /** A run's name, the beginning of one, `latest`, or the path of its folder. */
  readonly run: string;
  /** The assembly whose checks judge; else the one that the run came from, as it is now. */
  readonly assembly?: string;
  readonly home?: string;
  /** The working tree; else that of the run. */
  readonly in?: string;
  /** `{ sandbox: 'all' }` contains the gates; what is not said is as it was in the run. */
  readonly sandbox?: SandboxWords;
}

/** Every recorded attempt with its verdict then and now, and how the replay's own run ended: 0 all stayed, 1 one changed, 2 a check is broken. */
export type ReplayResult =
  { readonly ok: true; readonly replayed: string; readonly attempts: readonly ReplayRow[]; readonly outcome: RunOutcome } | NoDonor;

/** Judges the recorded work of a run by the checks that its assembly has now. No model is asked and no hook is run; the replay has a record of its own. */
export async function replay(
  { run, assembly, home, in: tree, sandbox }: ReplayRequest,
  surroundings: RunSurroundings,
): Promise<ReplayResult> {
  const { onFact } = surroundings;
  const words = { slots: [], optionNames: [], options: {}, ...present({ assembly, home, in: tree }) };
  const watch = (): { readonly onFact?: (fact: Fact) => void } => (onFact === undefined ? {} : { onFact });
  const replayed = await callReplay({ run, words, watch, ...present({ sandbox }) }, worldOf(surroundings));
  if (!replayed.ok) return replayed;
  const { donor, rows, outcome } = replayed;
  return { ok: true, replayed: donor.name, attempts: rows, outcome };
}
