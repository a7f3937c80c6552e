/** Many changes at once are one: a save is several events, a `git checkout` thousands. */
import type { Clock } from '../ports/clock.js';

export interface Settling {
  /** Something changed. */
  touch(): void;
  /** Resolves when something changed since it last did, and then nothing for a moment; never rejects. One waits at a time. */
  settled(): Promise<void>;
  /** Nobody waits any more. */
  stop(): void;
}

export interface Moments {
  /** Milliseconds without a change that count as quiet. */
  readonly quietMs: number;
  /** Milliseconds after the first change at the latest. */
  readonly latestMs: number;
}

export function openSettling(clock: Pick<Clock, 'elapsed' | 'after'>, { quietMs, latestMs }: Moments): Settling {
  let cancel = (): void => {};
  let first: number | null = null;
  let ready = false;
  let wake: (() => void) | null = null;

  const settle = (): void => {
    first = null;
    ready = true;
    if (wake === null) return;
    const woken = wake;
    wake = null;
    ready = false;
    woken();
  };

  return {
    touch() {
      const now = clock.elapsed();
      first ??= now;
      cancel();
      cancel = clock.after(Math.max(0, Math.min(quietMs, first + latestMs - now)), settle);
    },
    settled: () =>
      new Promise((resolve) => {
        wake = resolve;
        if (ready) settle();
      }),
    stop: () => cancel(),
  };
}
