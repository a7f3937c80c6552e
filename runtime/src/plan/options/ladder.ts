import type { Inheritable } from '@gated-flow/assembly';
import type { Rung, Sourced } from '@gated-flow/record';

/** What one place says about the options. */
export interface RungOptions {
  readonly from: Rung;
  readonly options: Inheritable;
}

/** Nearest first: command, task, stage, containers innermost first, flow, assembly, home (O-4). */
export type Ladder = readonly RungOptions[];

export const DEFAULT_TIMEOUT = 3600;
export const DEFAULT_RETRIES = 2;

/** The nearest rung that says anything about the key wins; with none, the fallback, `from: default`. */
export function climb<T>(ladder: Ladder, read: (options: Inheritable) => T | undefined, fallback: T): Sourced<T> {
  for (const { from, options } of ladder) {
    const value = read(options);
    if (value !== undefined) return { value, from };
  }
  return { value: fallback, from: 'default' };
}
