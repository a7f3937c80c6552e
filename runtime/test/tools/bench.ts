import { createRedactor } from '@gated-flow/text';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Tool, ToolContext, ToolOutput } from '../../src/agent/tools/tool.js';
import { createClock } from '../../src/io/clock.js';
import { createDisk } from '../../src/io/disk.js';
import { createIds } from '../../src/io/ids.js';
import { createPrograms } from '../../src/io/programs/programs.js';
import {
  createMemoryDisk,
  createScriptedPrograms,
  type MemoryDisk,
  type ProgramStep,
  type ScriptedPrograms,
} from '../../src/testing/index.js';
import { scratchFolder } from '../io/scratch.js';

const SLOTS = {
  PWD: '/work/tree',
  INPUT: '/nest/in',
  OUTPUT: '/nest/out/output.md',
  TMP: '/nest/tmp',
  SKILLS: '/nest/skills',
  DATA: '/work/tree/data',
};

export interface ToolBench {
  readonly disk: MemoryDisk;
  readonly programs: ScriptedPrograms;
  readonly context: ToolContext;
  readonly call: (tool: Tool, input: unknown) => Promise<ToolOutput>;
}

/** Tools over a disk in memory and programs that follow a script. */
export function memoryBench(steps: readonly ProgramStep[] = [], more: Partial<ToolContext> = {}): ToolBench {
  const disk = createMemoryDisk(
    Object.fromEntries(['/work/tree/.a', '/nest/in/.a', '/nest/out/.a', '/nest/tmp/.a'].map((path) => [path, ''])),
  );
  const programs = createScriptedPrograms(disk, steps);
  const context = contextOf({ slots: SLOTS, disk, programs, ...more });
  return { disk, programs, context, call: (tool, input) => tool.run(input, context) };
}

/** Tools over the real machine, in a fresh folder. */
export function realBench(more: Partial<ToolContext> = {}) {
  const root = scratchFolder();
  const slots = { PWD: join(root, 'tree'), INPUT: join(root, 'in'), OUTPUT: join(root, 'out', 'output.txt'), TMP: join(root, 'tmp') };
  for (const folder of ['tree', 'in', 'out', 'tmp']) mkdirSync(join(root, folder));
  const programs = createPrograms({ clock: more.clock ?? createClock() });
  const context = contextOf({
    slots,
    disk: createDisk(),
    programs,
    scratch: join(root, 'captures'),
    env: { PATH: process.env['PATH'] ?? '', ...slots },
    ...more,
  });
  return { root, slots, programs, context, call: (tool: Tool, input: unknown) => tool.run(input, context) };
}

function contextOf(parts: Pick<ToolContext, 'slots' | 'disk' | 'programs'> & Partial<ToolContext>): ToolContext {
  return {
    env: { PATH: '/bin' },
    clock: createClock(),
    ids: createIds(),
    owner: 'agent',
    scratch: '/nest/captures',
    redactor: createRedactor([]),
    callHelpers: () => Promise.reject(new Error('no helper is in scope')),
    remainingMs: () => 600_000,
    stop: new AbortController().signal,
    ...parts,
  };
}
