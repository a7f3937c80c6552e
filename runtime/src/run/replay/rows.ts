/** What a replay found, attempt by attempt. Plain data in the field names of its document. */
import type { ThenVerdict, VerdictName } from './then.js';

export type ReplayRow = AttemptRow | StageRow;

interface Place {
  readonly stage: string;
  readonly repeat?: number;
}

export interface AttemptRow extends Place {
  readonly attempt: number;
  readonly then: Told<ThenVerdict['verdict']>;
  /** Null when it could not be judged: `why` says so. */
  readonly now: Told<VerdictName> | null;
  /** `decided`: only today's checks came to a verdict. */
  readonly outcome: 'stayed' | 'changed' | 'decided' | 'fault' | 'skipped';
  readonly why?: string;
}

export interface Told<V> {
  readonly verdict: V;
  /** The check that did not pass, and what it said, at most 2,048 bytes. */
  readonly check?: string;
  readonly text?: string;
}

/** A stage of which nothing was judged. */
export interface StageRow extends Place {
  readonly attempt: null;
  readonly outcome: 'skipped';
  readonly why: string;
}

export interface Tally {
  readonly stayed: number;
  readonly changed: number;
  readonly decided: number;
  readonly faults: number;
  readonly skipped: number;
}

export function tallyOf(rows: readonly ReplayRow[]): Tally {
  const count = (outcome: ReplayRow['outcome']): number => rows.filter((row) => row.outcome === outcome).length;
  return {
    stayed: count('stayed'),
    changed: count('changed'),
    decided: count('decided'),
    faults: count('fault'),
    skipped: count('skipped'),
  };
}

/** A verdict is what became of the attempt; another check or other words that come to the same are no change. */
export function outcomeOf(then: ThenVerdict['verdict'], now: VerdictName): AttemptRow['outcome'] {
  if (now === 'fault' || now === 'timeout') return 'fault';
  if (then === 'open' || then === 'fault' || then === 'timeout') return 'decided';
  return then === now ? 'stayed' : 'changed';
}
