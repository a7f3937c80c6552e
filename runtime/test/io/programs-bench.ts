import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { createClock } from '../../src/io/clock.js';
import type { OwnedGroup } from '../../src/io/programs/living.js';
import type { Pipes } from '../../src/io/programs/pipes.js';
import { createPrograms, type NodePrograms } from '../../src/io/programs/programs.js';
import type { ProgramRequest } from '../../src/ports/programs.js';
import { program, scratchFolder } from './scratch.js';

export interface Bench {
  readonly folder: string;
  readonly programs: NodePrograms;
  readonly started: OwnedGroup[];
  readonly capture: string;
  readonly text: () => string;
  readonly request: (file: string, more?: Partial<ProgramRequest>) => ProgramRequest;
  readonly script: (text: string, more?: Partial<ProgramRequest>) => ProgramRequest;
}

/** Programs in a folder of their own; through the pipes given, else through this process's. */
export function bench(pipes?: Pipes): Bench {
  const folder = scratchFolder();
  const started: OwnedGroup[] = [];
  const programs = createPrograms({ clock: createClock(), started: (group) => void started.push(group), ...(pipes && { pipes }) });
  const capture = join(folder, 'capture');
  const request = (file: string, more: Partial<ProgramRequest> = {}): ProgramRequest => ({
    file,
    args: [],
    cwd: folder,
    env: { PATH: process.env['PATH'] ?? '' },
    capture,
    limitBytes: 1 << 20,
    timeoutMs: 20_000,
    stop: new AbortController().signal,
    owner: 'test',
    ...more,
  });
  const script = (text: string, more: Partial<ProgramRequest> = {}) =>
    request(program(join(folder, 'script.sh'), `#!/bin/sh\n${text}\n`), more);
  return { folder, programs, started, capture, request, script, text: () => readFileSync(capture, 'utf8') };
}

/** Waits until a condition holds; the test's own limit ends a wait in vain. */
export async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await pause(5);
}
