import type { Clock } from '../ports/clock.js';

/**
 * The agent's own time: it runs while the agent works and stands still during checks, hooks and waiting (L-5).
 * `spent` aborts when the allowance is used up.
 */
export interface AgentClock {
  start(): void;
  pause(): void;
  remainingMs(): number;
  /** How much of it was used so far. */
  spentMs(): number;
  readonly spent: AbortSignal;
}

export function agentClock(clock: Clock, allowanceMs: number): AgentClock {
  const controller = new AbortController();
  let left = allowanceMs;
  let running: { readonly since: number; readonly cancel: () => void } | null = null;
  const remainingMs = (): number => Math.max(0, left - (running ? clock.elapsed() - running.since : 0));
  return {
    start() {
      running ??= { since: clock.elapsed(), cancel: clock.after(left, () => controller.abort()) };
    },
    pause() {
      if (!running) return;
      left = remainingMs();
      running.cancel();
      running = null;
    },
    remainingMs,
    spentMs: () => allowanceMs - remainingMs(),
    spent: controller.signal,
  };
}

/** The clock for several that may pause it at once: it starts again when the last of them does. Each has to start what it paused. */
export function sharedClock(clock: Pick<AgentClock, 'pause' | 'start'>): Pick<AgentClock, 'pause' | 'start'> {
  let pausing = 0;
  return {
    pause() {
      pausing += 1;
      clock.pause();
    },
    start() {
      pausing -= 1;
      if (pausing === 0) clock.start();
    },
  };
}
