import type { Clock } from '../../ports/clock.js';

const SILENCE_MS = 120_000;
/** What may still follow a model's last word is how many tokens it took. */
const REST_MS = 1_000;

export interface StallWatch {
  /** Aborts when nothing was heard for two minutes (L-4). */
  readonly signal: AbortSignal;
  readonly message: string;
  /** Something arrived. */
  readonly beat: () => void;
  stalled(): boolean;
  /** The model has said its last word. */
  readonly conclude: () => void;
  concluded(): boolean;
  /** Aborts a second after the last word: a server that keeps the connection open is waited for no longer. */
  readonly over: AbortSignal;
  /** The turn is over: nothing is waited for any more. */
  end(): void;
}

/** Begins to wait at once: a server that never answers is silent too. */
export function stallWatch(clock: Clock): StallWatch {
  const controller = new AbortController();
  const over = new AbortController();
  let rest: (() => void) | undefined;
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
    conclude: () => void (rest ??= clock.after(REST_MS, () => over.abort())),
    concluded: () => rest !== undefined,
    over: over.signal,
    end() {
      ended = true;
      cancel();
      rest?.();
    },
  };
}
