import type { Clock } from '../../ports/clock.js';

const SILENCE_MS = 120_000;

export interface StallWatch {
  /** Aborts when nothing was heard for two minutes (L-4). */
  readonly signal: AbortSignal;
  readonly message: string;
  /** Something arrived. */
  readonly beat: () => void;
  stalled(): boolean;
  /** The turn is over: nothing is waited for any more. */
  end(): void;
}

/** Begins to wait at once: a server that never answers is silent too. */
export function stallWatch(clock: Clock): StallWatch {
  const controller = new AbortController();
  let ended = false;
  let cancel = wait();
  function wait(): () => void {
    return clock.after(SILENCE_MS, () => controller.abort());
  }
  return {
    signal: controller.signal,
    message: `The provider sent nothing for ${SILENCE_MS / 1000} seconds.`,
    beat() {
      cancel();
      if (!ended) cancel = wait();
    },
    stalled: () => controller.signal.aborted,
    end() {
      ended = true;
      cancel();
    },
  };
}
