/** Waits for whoever may give leave: a person at the terminal or the caller's own code, and another shell at the same time (V-5). */
import type { Authorization } from '@gated-flow/governance';
import type { Clock } from '../../ports/clock.js';
import type { Stop } from '../../ports/stop.js';
import type { AskedLeave } from './asked.js';
import type { AuthorizationStore } from './store.js';

export type Answer =
  /** With the authorization as it was granted, where another process did. */
  | {
      readonly answer: 'granted';
      readonly by: string;
      readonly via: 'terminal' | 'command' | 'page' | 'host';
      readonly authorization?: Authorization;
    }
  | { readonly answer: 'denied'; readonly by: string; readonly via: 'terminal' | 'command' | 'page' | 'host' }
  | { readonly answer: 'nobody' }
  | { readonly answer: 'stopped' };

/** What a caller's `approve` answers; `nobody` when it cannot say. */
export type Approval = Exclude<Answer, { readonly answer: 'stopped' }>;

/** Asks whoever may give leave for one call. The signal aborts when the answer is not wanted any more. */
export type Approve = (asked: AskedLeave, signal: AbortSignal) => Promise<Approval>;

export interface Asking {
  /** One is asked at a time. Null where nobody is there to be asked. */
  readonly approve: Approve | null;
  /** How long an answer is waited for, in milliseconds. */
  readonly waitMs: number;
}

interface Waiting {
  readonly asking: Asking;
  readonly store: Pick<AuthorizationStore, 'answered'>;
  readonly clock: Clock;
  readonly stop: Stop;
}

const POLL_MS = 250;

/** Rejects only with what the store, or a caller's own code, rejects with. */
export async function waitForAnswer(asked: AskedLeave, { asking, store, clock, stop }: Waiting): Promise<Answer> {
  if (stop.signal.aborted) return { answer: 'stopped' };
  const { approve, waitMs } = asking;
  if (waitMs <= 0) return { answer: 'nobody' };
  const over = new AbortController();
  const signal = AbortSignal.any([stop.signal, over.signal]);
  const until = clock.elapsed() + waitMs;

  async function watch(): Promise<Answer> {
    for (;;) {
      const answer = await store.answered(asked.id);
      if (answer !== null) return answer;
      const left = until - clock.elapsed();
      if (left <= 0) return { answer: 'nobody' };
      await clock.sleep(Math.min(POLL_MS, left), signal);
      if (stop.signal.aborted) return { answer: 'stopped' };
      if (over.signal.aborted) return { answer: 'nobody' };
    }
  }

  /** Where nobody is there after all, another shell may still answer. */
  async function person(): Promise<Answer> {
    const answer = await approve?.(asked, signal);
    return answer === undefined || answer.answer === 'nobody' ? new Promise<never>(() => {}) : answer;
  }

  try {
    const answer = await Promise.race([watch(), person()]);
    return stop.signal.aborted ? { answer: 'stopped' } : answer;
  } finally {
    over.abort();
  }
}

/** One question at a time, in the order in which they came. One that is not wanted any more holds nobody up. */
export function inTurn(approve: Approve): Approve {
  let last: Promise<unknown> = Promise.resolve();
  return (asked, signal) => {
    const mine = last.then(() => (signal.aborted ? NOBODY : Promise.race([approve(asked, signal), aborted(signal)])));
    last = mine.catch(() => {});
    return mine;
  };
}

const NOBODY = { answer: 'nobody' } as const;

function aborted(signal: AbortSignal): Promise<typeof NOBODY> {
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve(NOBODY), { once: true }));
}
