import { tmpdir } from 'node:os';
import { passFixture } from '@gated-flow/assembly';
import type { StopReason } from '../ports/stop.js';
import type { Machine } from '../run/machine.js';
import { openAppendFile } from './append-file.js';
import { changes } from './changes.js';
import { claims } from './claims.js';
import { createClock } from './clock.js';
import { createDisk } from './disk.js';
import { openFingerprints } from './fingerprint/fingerprints.js';
import { hashTree } from './hash-tree.js';
import { createIds } from './ids.js';
import { processes } from './processes.js';
import { createPrograms } from './programs/programs.js';
import { endRemains } from './programs/remains.js';
import { confiner } from './sandbox/confine.js';
import { launcherFinder } from './sandbox/launcher.js';
import { listenForSignals, type SignalListener } from './stop.js';
import { worktrees } from './worktree.js';

declare const FLOW_VERSION: string;

export interface OpenMachine extends Machine {
  /** Ends every program that runs, without waiting. */
  killNow(): void;
  /** Gives the signals back to the system. */
  dispose(): void;
}

/**
 * The machine this process runs on. With `caller` an abort of the caller's stops the run; without one the process's signals do, from
 * here on, instead of ending the process, and a second SIGINT ends both at once (E-2).
 */
export function openMachine(env: Machine['env'], caller?: AbortSignal): OpenMachine {
  const clock = createClock();
  const killers: (() => void)[] = [];
  const killNow = (): void => {
    for (const kill of killers) kill();
  };
  const atOnce = (exit: number): void => {
    killNow();
    process.exit(exit);
  };
  const signals = caller ? stopOf(caller) : listenForSignals({ elapsed: () => clock.elapsed(), atOnce });
  const disk = createDisk();
  return {
    disk,
    findLauncher: launcherFinder(env),
    confine: confiner(disk),
    clock,
    ids: createIds(),
    claims,
    processes,
    hashTree,
    openFingerprints,
    worktrees,
    changes,
    endRemains: (remains) => endRemains(remains, clock),
    openAppend: openAppendFile,
    programs(started) {
      const { boot } = processes.self();
      const programs = createPrograms({ clock, started: ({ group, startTime }) => started({ pid: group, started: startTime, boot }) });
      killers.push(programs.killNow);
      return programs;
    },
    signals,
    env,
    temporary: tmpdir(),
    node: process.version,
    version: FLOW_VERSION,
    fixture: (root, stageEntry) => passFixture(root, stageEntry)?.bytes ?? null,
    killNow,
    dispose: signals.dispose,
  };
}

/** A caller that aborts is to a run what SIGTERM is to a process, unless it passes a signal on. */
function stopOf(signal: AbortSignal): SignalListener {
  const reason = (): StopReason | null => (signal.aborted ? passedOn(signal.reason) : null);
  return { signal, reason, dispose: () => {} };
}

function passedOn(reason: unknown): StopReason {
  const isSignal = typeof reason === 'object' && reason !== null && 'stop' in reason && reason.stop === 'signal' && 'name' in reason;
  return SIGNALS.find(({ name }) => isSignal && reason.name === name) ?? { stop: 'signal', signal: 15, name: 'SIGTERM' };
}

const SIGNALS = [
  { stop: 'signal', signal: 1, name: 'SIGHUP' },
  { stop: 'signal', signal: 2, name: 'SIGINT' },
  { stop: 'signal', signal: 15, name: 'SIGTERM' },
] as const;
