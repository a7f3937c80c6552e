/** Steps of a tree, as small as the walk needs them. */
import { basename } from 'node:path';
import type { Branch, Choose, Fanout, Loop, Parallel, Stage, Step } from '@gated-flow/assembly';

function place(path: string) {
  const name = basename(path).replace(/^\d+-/, '');
  return { name, path, entry: path, sentinel: `${path}/X.md`, options: {}, skills: [] };
}

export const stage = (path: string): Stage => ({
  ...place(path),
  ...{ type: 'STAGE', body: 'Work.', checklist: [], gates: [], hooks: {}, subflows: [] },
});

export const loop = (path: string, repeat: number, steps: readonly Step[], question?: string): Loop => ({
  ...place(path),
  ...{ type: 'LOOP', repeat, steps },
  ...(question === undefined ? {} : { question }),
});

/** One alternative or branch for each list of steps. */
function ways(path: string, of: Readonly<Record<string, readonly Step[]>>): Branch[] {
  return Object.entries(of).map(([name, steps]) => ({ name, path: `${path}/${name}`, entry: `${path}/${name}`, steps }));
}

export const choose = (path: string, of: Readonly<Record<string, readonly Step[]>>): Choose => ({
  ...place(path),
  ...{ type: 'CHOOSE', prompt: 'Which?', alternatives: ways(path, of) },
});

export const parallel = (path: string, width: number, of: Readonly<Record<string, readonly Step[]>>): Parallel => ({
  ...place(path),
  ...{ type: 'PARALLEL', width, branches: ways(path, of) },
});

export const fanout = (path: string, width: number, maxItems = 1_000): Fanout => ({
  ...place(path),
  ...{ type: 'FANOUT', items: 'jobs', subflow: 'one', width, maxItems },
});
