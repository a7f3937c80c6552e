/** What a stage does about the contracts over it: before its agent, while it works, and once it has left (C-13). */
import { join } from 'node:path';
import type { Ending } from './decide.js';
import type { Progress } from './progress.js';
import type { StageScope } from './scope.js';

interface Stage {
  readonly scope: StageScope;
  readonly progress: Progress;
}

/** Opens the contracts and judges what the agent is given, once; an ending when it must not run. Rejects with a DiskError. */
export async function holdStage({ scope, progress }: Stage): Promise<Ending | null> {
  if (scope.contracts === null || scope.heldTo.length === 0) return null;
  if (progress.contracts !== null) return progress.barred;
  const contracts = await scope.contracts.hold(scope);
  progress.contracts = contracts;
  progress.barred = await contracts.enter(await inputOf(scope));
  return progress.barred;
}

/** One file is its own bytes; several are a JSON object of name to text, in name order. Rejects with a DiskError. */
async function inputOf({ input, ports: { disk } }: StageScope): Promise<Uint8Array> {
  const files: (readonly [string, Uint8Array])[] = [];
  for (const name of await disk.list(input)) {
    const path = join(input, name);
    if ((await disk.look(path))?.kind === 'file') files.push([name, await disk.read(path)]);
  }
  const [first, ...others] = files;
  if (others.length === 0) return first?.[1] ?? new Uint8Array();
  return Buffer.from(JSON.stringify(Object.fromEntries(files.map(([name, bytes]) => [name, Buffer.from(bytes).toString('utf8')]))));
}
