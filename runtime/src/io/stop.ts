import { setMaxListeners } from 'node:events';
import { constants } from 'node:os';
import type { Stop, StopReason } from '../ports/stop.js';

type SignalName = 'SIGINT' | 'SIGTERM' | 'SIGHUP';
const SIGNALS: readonly SignalName[] = ['SIGINT', 'SIGTERM', 'SIGHUP'];
/** npx and npm pass a Ctrl-C on that the terminal has already sent: the same press, not a second one. */
const ECHO_MS = 50;

export interface SignalListener extends Stop {
  /** Gives the signals back to the system. */
  readonly dispose: () => void;
}

export interface Emitter {
  on(signal: SignalName, act: () => void): unknown;
  removeListener(signal: SignalName, act: () => void): unknown;
}

export interface SignalOptions {
  /** Called on a second SIGINT, with the exit code: ends what runs and then this process, without waiting (E-2). */
  readonly atOnce: (exit: number) => void;
  /** Monotonic milliseconds. */
  readonly elapsed: () => number;
  /** The process, or in tests something that emits like it. */
  readonly emitter?: Emitter;
}

/** Turns SIGINT, SIGTERM and SIGHUP into one stop for the whole run; the first wins (E-2). */
export function listenForSignals({ atOnce, elapsed, emitter = process }: SignalOptions): SignalListener {
  const controller = new AbortController();
  // Every program and every model call of a run listens to this one signal.
  setMaxListeners(0, controller.signal);
  let first: StopReason | null = null;
  let interruptedAt: number | null = null;

  const handlers = SIGNALS.map((name) => {
    const handle = () => {
      const signal = constants.signals[name];
      if (name === 'SIGINT') {
        const now = elapsed();
        if (interruptedAt !== null && now - interruptedAt >= ECHO_MS) return atOnce(128 + signal);
        interruptedAt ??= now;
      }
      first ??= { stop: 'signal', signal, name };
      controller.abort(first);
    };
    emitter.on(name, handle);
    return { name, handle };
  });

  return {
    signal: controller.signal,
    reason: () => first,
    dispose: () => handlers.forEach(({ name, handle }) => emitter.removeListener(name, handle)),
  };
}
