import type { Content, RunFacts } from '../facts.js';
import type { Comparison } from './comparison.js';
import { holds } from './comparison.js';
import type { Decision, Predicate } from './predicate.js';
import { unknown } from './predicate.js';

export type Unit = 'characters' | 'words' | 'lines' | 'bytes' | 'tokens';
export type Subject = 'input' | 'output';

/** How long the input or the output is. A number of tokens that nobody reported is estimated, and says so (C-7). */
export function lengthPredicate(subject: Subject, unit: Unit, comparison: Comparison): Predicate {
  return {
    about: subject,
    becomes: 'either',
    decide: (facts) => {
      const content = facts[subject];
      const reported = unit !== 'tokens' ? null : subject === 'input' ? facts.inputTokens : facts.outputTokens;
      if (reported !== null) return measured(reported, comparison, `the ${subject} has ${reported} tokens`);
      if (content === null) return unknown(`there is no ${subject}`);
      const count = COUNTERS[unit](content);
      const label = unit === 'tokens' ? ', estimated from its length' : '';
      return measured(count, comparison, `the ${subject} has ${count} ${unit}${label}`);
    },
  };
}

export function measured(value: number, comparison: Comparison, because: string): Decision {
  return { is: holds(value, comparison) ? 'true' : 'false', because };
}

const COUNTERS: Readonly<Record<Unit, (content: Content) => number>> = {
  characters: ({ text }) => countOf(text, /[\s\S]/gu),
  words: ({ text }) => countOf(text, /\S+/gu),
  lines: ({ text }) => (text === '' ? 0 : countOf(text, /\n/g) + (text.endsWith('\n') ? 0 : 1)),
  bytes: ({ text, bytes }) => bytes?.length ?? Buffer.byteLength(text),
  tokens: ({ text }) => estimatedTokens(text),
};

/** Without an array of all that was found: the text can be 100 MB. */
function countOf(text: string, what: RegExp): number {
  let count = 0;
  what.lastIndex = 0;
  while (what.exec(text) !== null) count++;
  return count;
}

/** Four bytes a token: the usual rule of thumb, never shown as a fact. */
export function estimatedTokens(text: string): number {
  return Math.ceil(Buffer.byteLength(text) / 4);
}

type NumericFact = 'durationMs' | 'costUsd' | 'stepCostUsd' | 'outputTokens' | 'inputTokens' | 'steps';

interface FactMeasure {
  readonly fact: NumericFact;
  readonly comparison: Comparison;
  /** `the run took 31 ms` for 31. */
  words(value: number): string;
  readonly missing: string;
}

/** A number that grows while a run goes on. */
export function factPredicate({ fact, comparison, words, missing }: FactMeasure): Predicate {
  return {
    about: fact === 'stepCostUsd' ? 'steps' : 'run',
    becomes: growing(comparison),
    decide: (facts: RunFacts) => {
      const value = facts[fact];
      return value === null ? unknown(missing) : measured(value, comparison, words(value));
    },
  };
}

/** At most ten: once false, false for good. At least ten: once true, true for good. */
export function growing({ at }: Comparison): Predicate['becomes'] {
  if (at === 'most' || at === 'under') return 'false';
  return at === 'least' || at === 'over' ? 'true' : 'either';
}
