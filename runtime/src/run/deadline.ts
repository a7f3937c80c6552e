import type { Clock } from '../ports/clock.js';
import type { Stop, StopReason } from '../ports/stop.js';

/** Everything that can stop a run from outside. */
export interface RunStop extends Stop {
  /** Aborts for a signal only: a failure hook still runs after a deadline, never after a signal (K-12, E-2). */
  readonly interrupted: AbortSignal;
  /** Stops the whole tree of runs, because a contract says so (C-9). */
  halt(reason: string): void;
  /** No deadline will fire any more. */
  settle(): void;
}

/** Adds the run's deadline to the signals (I-5). The first reason wins. */
export function withDeadline(signals: Stop, clock: Clock, seconds: number | undefined): RunStop {
  const controller = new AbortController();
  const reason: { first: StopReason | null } = { first: null };
  const stop = (why: StopReason | null): void => {
    reason.first ??= why;
    controller.abort(reason.first);
  };
  if (signals.signal.aborted) stop(signals.reason());
  else signals.signal.addEventListener('abort', () => stop(signals.reason()), { once: true });
  const cancel = seconds === undefined ? (): void => {} : clock.after(seconds * 1_000, () => stop({ stop: 'deadline', seconds }));
  return {
    signal: controller.signal,
    // A signal after the deadline still interrupts what the deadline left running.
    reason: () => signals.reason() ?? reason.first,
    interrupted: signals.signal,
    halt: (why) => stop({ stop: 'halt', reason: why }),
    settle: cancel,
  };
}
