import type { KeyObject } from 'node:crypto';
import type { Fact, ModelSource } from '@gated-flow/record';
import type { PlanRow } from '../plan/plan.js';
import type { Model } from '../ports/model.js';
import type { Activity } from '../stage/activity.js';
import type { CarriedEntry } from './resume/carry.js';

/** What a run is told beside its plan. */
export interface RunOptions {
  readonly source: ModelSource;
  /** The model of a row; asked for once for each stage. */
  modelFor(row: PlanRow): Model;
  /** Text of the caller's, at most 256 bytes, kept in the first line. */
  readonly correlation?: string;
  /** The name of the run that this one resumes or replays. */
  readonly continuedFrom?: string;
  /** The first steps of the root sequence, in order, that are carried over from it and not run again (G-11). */
  readonly carried?: readonly CarriedEntry[];
  /** An Ed25519 private key to sign the record with. */
  readonly signWith?: KeyObject;
  /** A git worktree of the run's own; `dirty` takes along what is not committed (O-7). */
  readonly isolate?: 'clean' | 'dirty';
  /** Told a sentence that the caller should hear. */
  readonly onNotice?: (sentence: string) => void;
  /** Told every fact of the record, once it is written. */
  readonly onFact?: (fact: Fact) => void;
  /** Told what happens between facts. */
  readonly onActivity?: (activity: Activity) => void;
}
