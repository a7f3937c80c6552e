import { tmpdir } from 'node:os';
import { passFixture } from '@gated-flow/assembly';
import type { Machine } from '../run/machine.js';
import { openAppendFile } from './append-file.js';
import { claims } from './claims.js';
import { createClock } from './clock.js';
import { createDisk } from './disk.js';
import { hashTree } from './hash-tree.js';
import { createIds } from './ids.js';
import { processes } from './processes.js';
import { createPrograms } from './programs/programs.js';
import { listenForSignals } from './stop.js';
import { worktrees } from './worktree.js';

declare const FLOW_VERSION: string;

export interface OpenMachine extends Machine {
  /** Gives the signals back to the system. */
  dispose(): void;
}

/** The machine this process runs on. From here on a signal stops the run instead of the process; a second SIGINT ends both at once (E-2). */
export function openMachine(env: Machine['env']): OpenMachine {
  const clock = createClock();
  const killers: (() => void)[] = [];
  const signals = listenForSignals({
    elapsed: () => clock.elapsed(),
    atOnce(exit) {
      for (const kill of killers) kill();
      process.exit(exit);
    },
  });
  return {
    disk: createDisk(),
    clock,
    ids: createIds(),
    claims,
    processes,
    hashTree,
    worktrees,
    openAppend: openAppendFile,
    programs(started) {
      const programs = createPrograms({ clock, started: ({ group }) => started(group) });
      killers.push(programs.killNow);
      return programs;
    },
    signals,
    env,
    temporary: tmpdir(),
    node: process.version,
    version: FLOW_VERSION,
    fixture: (root, stageEntry) => passFixture(root, stageEntry)?.bytes ?? null,
    dispose: signals.dispose,
  };
}
