import type { Assembly, Flow, Refusal, Skill, Stage } from '@gated-flow/assembly';
import type { Warning } from '../plan.js';
import type { Interpreter } from './shebang.js';

/** What the warnings are judged on: the assembly as it was read, and what the machine says about it. */
export interface WarningScope {
  readonly assembly: Assembly;
  /** The flow that would run; null for the assembly agent. */
  readonly flow: Flow | null;
  /** The stages that the target names, those of subflows included. */
  readonly stages: readonly Stage[];
  readonly skills: readonly Skill[];
  readonly facts: WarningFacts;
}

export interface WarningFacts {
  /** Interpreters that could not be found, by their spelling in the shebang. */
  readonly missing: ReadonlySet<Interpreter['spelled']>;
  /** Entries of the stages that have a file under `.fixtures/fail/`. */
  readonly provenToFail: ReadonlySet<string>;
  /** Why a run could not start with the models as they are. */
  readonly models: readonly Refusal[];
}

/** One thing that is legal, but likely wrong (I-6). Pure. */
export type WarningRule = (scope: WarningScope) => readonly Warning[];

/** Gates in order, then hooks. */
export function executablesOf(stage: Stage): Stage['gates'] {
  return [...stage.gates, ...Object.values(stage.hooks)];
}
