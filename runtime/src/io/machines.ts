import type { Machine } from '../run/machine.js';
import type { Stop } from '../ports/stop.js';
import { createClock } from './clock.js';
import { openMachine, type OpenMachine } from './machine.js';
import { listenForSignals } from './stop.js';

/** The machine for one run after another: the signals are this process's until it is disposed of, also between two runs. */
export interface Machines {
  readonly stop: Stop;
  /** For one run, which `signal` stops: by its reason, when that is a StopReason. */
  open(signal: AbortSignal): OpenMachine;
  dispose(): void;
}

/** A second SIGINT ends what runs, and this process, at once (E-2). */
export function openMachines(env: Machine['env']): Machines {
  const clock = createClock();
  let current: OpenMachine | null = null;
  const atOnce = (exit: number): void => {
    current?.killNow();
    process.exit(exit);
  };
  const listener = listenForSignals({ elapsed: () => clock.elapsed(), atOnce });
  return { stop: listener, open: (signal) => (current = openMachine(env, signal)), dispose: listener.dispose };
}
