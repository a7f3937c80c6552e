/**
 * Every sentence a program can decide (C-4). The page packages/contract/docs/grammar.md is made from this table, and the tests judge its
 * examples. A sentence that fits none of the forms is decided by a fact of the host, by a judge, or by nobody.
 */
import type { RunFacts } from '../facts.js';
import { aboutCalls } from './calls.js';
import type { Groups } from './comparison.js';
import { aboutContent } from './content.js';
import { aboutEffects } from './effects.js';
import type { Predicate } from './predicate.js';
import { aboutRun } from './run.js';
import type { Literal } from './sentence.js';

export interface Phrase {
  /** How it is written; `[…]` may be left out, `|` separates alternatives. */
  readonly form: string;
  readonly meaning: string;
  readonly unit?: string;
  /** Each matches a whole sentence. */
  readonly patterns: readonly RegExp[];
  /** The predicate, or why the sentence cannot be used. */
  make(found: Found): Predicate | string;
  readonly examples: readonly Example[];
}

export interface Found {
  readonly groups: Groups;
  readonly literals: readonly Literal[];
  /** What is meant when the sentence names neither input nor output. */
  readonly subject: 'input' | 'output';
}

/** A sentence, facts of which it is true, and facts of which it is false. */
export interface Example {
  readonly text: string;
  readonly isTrue: Partial<RunFacts>;
  readonly isFalse: Partial<RunFacts>;
}

export const PHRASES: readonly Phrase[] = [...aboutContent, ...aboutRun, ...aboutCalls, ...aboutEffects];
