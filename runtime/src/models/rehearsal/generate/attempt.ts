import type { Gathering } from './demands.js';

/** One attempt at a value. */
export interface Attempt extends Gathering {
  /** Whether properties that nothing requires are written too. */
  readonly full: boolean;
  /** How many values this attempt may still make before it writes only what is required; far below zero it gives up. */
  budget: number;
  /** Makes the values inside a list or an object. */
  readonly value: (schemas: readonly unknown[], spot: Spot) => unknown;
  /** How far the next value is from the plainest one. */
  readonly shift: () => number;
  /** Texts for patterns, by what was asked: finding one is slow, and every attempt asks again. */
  readonly texts: Map<string, string>;
}

export interface Spot {
  readonly attempt: Attempt;
  readonly depth: number;
  /** Which of several different values is wanted here: 0 for the first. */
  readonly nth: number;
}

/** No value at all: nothing can satisfy the schemas here. */
export const NOTHING = Symbol('nothing');

/** From here on only what is required is written. */
export const FULL_DEPTH = 4;

/** Whether what is optional is written here: not deep inside, and not in a value that has grown large. */
export function generous({ attempt, depth }: Spot): boolean {
  return attempt.full && depth < FULL_DEPTH && attempt.budget > 0;
}
