/** Which runs go. Pure. */
import type { Limits } from './limits.js';

export type Why = 'age' | 'count' | 'size';

export interface Candidate {
  readonly run: string;
  /** Milliseconds since 1970. */
  readonly began: number;
  readonly bytes: number;
  /** Why it has to stay, in half a sentence; null when it may go. */
  readonly held: string | null;
}

/**
 * The runs to remove and what says so, the oldest first. `runs`: newest first. The newest `keep` stay whatever else is said, and so does
 * what is held; for the size everything counts.
 */
export function chooseRuns<T extends Candidate>(
  runs: readonly T[],
  { olderThan, keep = 0, maxSize }: Limits,
  now: number,
): readonly { readonly run: T; readonly why: Why }[] {
  const alone = olderThan === undefined && maxSize === undefined;
  let left = runs.reduce((sum, { bytes }) => sum + bytes, 0);
  const chosen: { run: T; why: Why }[] = [];
  for (const run of runs.slice(keep).reverse()) {
    if (run.held !== null) continue;
    const why = whyGo(run);
    if (why === null) continue;
    chosen.push({ run, why });
    left -= run.bytes;
  }
  return chosen;

  function whyGo({ began }: T): Why | null {
    if (alone) return 'count';
    if (olderThan !== undefined && now - began > olderThan) return 'age';
    return maxSize !== undefined && left > maxSize ? 'size' : null;
  }
}
