import type { Clock } from '../../src/ports/clock.js';

export interface ManualClock extends Clock {
  /** Moves time forward and runs what falls due, in order of its time. */
  advance(ms: number): void;
  /** How many timers wait: zero after a test that left nothing behind. */
  waiting(): number;
}

/** Time that moves only when a test says so. */
export function manualClock(start = Date.UTC(2026, 10, 30, 12)): ManualClock {
  let passed = 0;
  const timers = new Set<{ readonly due: number; readonly act: () => void }>();
  function after(ms: number, act: () => void): () => void {
    const timer = { due: passed + ms, act };
    timers.add(timer);
    return () => timers.delete(timer);
  }
  return {
    now: () => start + passed,
    elapsed: () => passed,
    after,
    sleep: (ms, signal) =>
      new Promise((resolve) => {
        if (signal?.aborted === true) return resolve();
        const cancel = after(ms, resolve);
        signal?.addEventListener('abort', () => (cancel(), resolve()), { once: true });
      }),
    advance(ms) {
      passed += ms;
      for (const timer of [...timers].filter(({ due }) => due <= passed).sort((a, b) => a.due - b.due)) {
        timers.delete(timer);
        timer.act();
      }
    },
    waiting: () => timers.size,
  };
}
