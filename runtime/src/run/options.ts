import type { KeyObject } from 'node:crypto';
import type { Fact, ModelSource } from '@gated-flow/record';
import type { IssuedAuthorization, StageName } from '@gated-flow/governance';
import type { JudgeSource } from '../contract/judging.js';
import type { Approve } from '../governance/approval/answer.js';
import type { PlanRow } from '../plan/plan.js';
import type { Model } from '../ports/model.js';
import type { Activity } from '../stage/activity.js';
import type { Given } from '../stage/scope.js';
import type { CarriedEntry } from './resume/carry.js';
import type { SandboxOption } from './sandbox.js';

/** The model of a row. */
export type ModelFor = (row: PlanRow) => Model;

/** What a run is told beside its plan. */
export interface RunOptions {
  readonly source: ModelSource;
  /** The models of one run, child runs included: each run gets its own, and asks once for each stage (M-5). */
  openModels(): ModelFor;
  /** Who judges the clauses of contracts; nobody unless it is said (M-4). */
  readonly judges?: JudgeSource;
  /** Text of the caller's, at most 256 bytes, kept in the first line. */
  readonly correlation?: string;
  /** The name of the run that this one resumes or replays. */
  readonly continuedFrom?: string;
  /** The first steps of the root sequence, in order, that are carried over from it and not run again (G-11). */
  readonly carried?: readonly CarriedEntry[];
  /** What the one stage that runs is given, in place of the request. */
  readonly given?: readonly Given[];
  /** The work of earlier runs may stand in for that of agents, and this run's own is noted for later ones (G-12). */
  readonly reuse?: true;
  /** SHA-256 of the script that answers for the model, when one does. */
  readonly script?: string;
  /** An Ed25519 private key to sign the record with. */
  readonly signWith?: KeyObject;
  /** What agents start is contained, and with `all` hooks and gates too (I-13). */
  readonly sandbox?: SandboxOption;
  /** A git worktree of the run's own; `dirty` takes along what is not committed (O-7). */
  readonly isolate?: 'clean' | 'dirty';
  /** Leave for calls that was given before the run (V-5). */
  readonly authorized?: readonly IssuedAuthorization[];
  /** Asks whoever may give leave for a call while the run waits. */
  readonly approve?: Approve;
  /** The moments of the governance contract that the run goes on with although nobody has seen that a denial is honoured there (V-10). */
  readonly advisory?: readonly StageName[];
  /** The receipts of stages say how they came about (V-6). */
  readonly debugReceipts?: true;
  /** How long an answer is waited for, in seconds; as long as leave would hold where somebody is asked, else not at all. */
  readonly approvalWaitSeconds?: number;
  /** Told a sentence that the caller should hear. */
  readonly onNotice?: (sentence: string) => void;
  /** Told every fact of a record, once it is written. `child` is the place of a child run in the run's folder, null for the run itself. */
  readonly onFact?: (fact: Fact, child: string | null) => void;
  /** Told what happens between facts, and in which child run. */
  readonly onActivity?: (activity: Activity, child: string | null) => void;
}
