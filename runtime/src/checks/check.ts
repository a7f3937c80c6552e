/** One signature for everything that judges a candidate output; the ordered list is in index.ts (K-1). */
import type { CheckName } from '@gated-flow/record';
import type { Mark } from '../agent/control/control.js';
import type { HeldContracts } from '../contract/held.js';
import type { StageEntry } from '../governance/entry.js';
import type { Ending, LoopAnswer, Selection } from '../stage/decide.js';
import type { StageScope } from '../stage/scope.js';

export interface Check {
  readonly name: CheckName;
  /** The gate's name in the stage folder; absent for checks that are no program. */
  readonly file?: string;
  /** Records the check, then answers. Rejects only with a DiskError. */
  run(round: Round): Promise<Verdict>;
}

/** One pass from the top over what the agent left when it stopped. */
export interface Round {
  readonly scope: StageScope;
  readonly attempt: number;
  /** The attempt's folder in the record: absolute. */
  readonly folder: string;
  /** Item number → the mark that counts. */
  readonly marks: ReadonlyMap<number, Mark>;
  /** SHA-256 of the output when the round began; null when there was no regular file (K-11). */
  readonly candidate: string | null;
  /** What the agent answered to the question (G-3). */
  readonly answer: LoopAnswer | null;
  /** What the agent selected (G-4). */
  readonly selection: Selection | null;
  /** The contracts over the stage; null where none holds. */
  readonly contracts: HeldContracts | null;
  /** The stage as the governance contract sees it; null where none governs. */
  readonly entry: StageEntry | null;
}

export type Verdict =
  | { readonly verdict: 'pass' }
  | {
      readonly verdict: 'fail';
      /** What the agent reads next. */
      readonly text: string;
      /** The terminal view. */
      readonly reason: string;
      /** Absolute path of the exact bytes. */
      readonly capture: string;
      /** The cause when no retry is left; `exhausted` unless it says otherwise. */
      readonly spent?: 'rejected';
    }
  | { readonly verdict: 'end'; readonly ending: Ending };

export const PASS: Verdict = { verdict: 'pass' };
