import type { Assembly, Executable, Flow, Refusal, Skill, Stage } from '@gated-flow/assembly';
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

/** The text of a script without lines that are only a comment; null for what is no script or was too large to keep. */
export function scriptOf({ path }: Executable, { snapshot }: Assembly): string | null {
  const entry = snapshot.entries.get(path);
  if (entry?.kind !== 'file' || entry.bytes === undefined || entry.bytes[0] !== 0x23 || entry.bytes[1] !== 0x21) return null;
  const lines = new TextDecoder().decode(entry.bytes).split('\n');
  return lines.filter((line) => !/^\s*(?:#|\/\/)/.test(line)).join('\n');
}
