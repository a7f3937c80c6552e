import type { Clause } from '../contract.js';
import type { RunFacts } from '../facts.js';

/**
 * What became of a clause. `details` goes to the audit and never quotes the input or the output; `reason` may, and is for whoever
 * has to repair it. `softened`: the judge could not be asked and the host wants a warning for that.
 */
export type Verdict =
  | { readonly is: 'passed' }
  | { readonly is: 'violated'; readonly details: string; readonly reason?: string; readonly softened?: true }
  | { readonly is: 'unevaluated'; readonly reason: string };

/**
 * When and by whom a clause is judged. `before`: on the input, before the agent runs. `live`: at each step, before it happens.
 * `after`: on what is known at the end. `judge`, `plugin`, `fact`: by a model, a program, or a fact of the host. `never`: by nobody.
 */
export type When = 'before' | 'live' | 'after' | 'judge' | 'plugin' | 'fact' | 'never';

/** A clause with the way it is judged. */
export interface Check {
  readonly clause: Clause;
  readonly when: When;
  /** Why nobody judges it, what it lacks, or which form of the grammar it has. */
  readonly note?: string;
  /** At the end of a run, or on the input for `requires`. Answers at once when it needs nobody. Never throws, never rejects. */
  judge(facts: RunFacts): Verdict | Promise<Verdict>;
  /** On what would be so far, before a step happens; null for a clause that is not judged live. */
  readonly live: ((facts: RunFacts) => Verdict) | null;
  /** On the text of one step; null for clauses that do not speak of it. */
  readonly stepText: ((facts: RunFacts) => Verdict) | null;
  /** An expression that breaks the clause wherever it is found in the output, if it is one that only this can break. */
  readonly forbidden: Forbidden | null;
  /** Whether another output of the same run could make it pass. */
  readonly ofOutput: boolean;
  /** Whether a log of finished runs has what the clause needs. A log has no steps but its tool calls (C-4). */
  readonly inLogs: boolean;
}

/** An expression as `compilePattern` takes it. */
export interface Forbidden {
  readonly source: string;
  readonly flags: string;
}

export const PASSED: Verdict = { is: 'passed' };

export function violated(details: string, reason?: string): Verdict {
  return { is: 'violated', details, ...(reason === undefined ? {} : { reason }) };
}

export function unevaluated(reason: string): Verdict {
  return { is: 'unevaluated', reason };
}
