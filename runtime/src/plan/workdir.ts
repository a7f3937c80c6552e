import { join, resolve } from 'node:path';
import type { Refusal, Stage } from '@gated-flow/assembly';
import type { Disk } from '../ports/disk.js';
import { shellWord } from './fix.js';
import type { PreparePorts } from './prepare.js';
import { realPath } from './real-path.js';
import { commandInvalid, found, refused, type Resolved } from './refusal.js';

/** The real path of the working tree: `--in DIR`, else the caller's directory (O-7). */
export async function resolveWorkingTree(
  typed: string | undefined,
  { cwd, disk }: Pick<PreparePorts, 'cwd' | 'disk'>,
): Promise<Resolved<string>> {
  const path = typed === '' ? null : await folderAt(resolve(cwd, typed ?? '.'), disk);
  return path === null
    ? refused(commandInvalid('path-missing', typed === '' ? '--in needs a folder.' : `--in: there is no folder at ${typed ?? cwd}.`))
    : found(path);
}

/** Every `workdir` must be a folder of the working tree. Each folder is looked at once. */
export async function refuseMissingWorkdirs(
  stages: Iterable<Stage>,
  tree: string,
  disk: Pick<Disk, 'real' | 'look'>,
): Promise<readonly Refusal[]> {
  const there = new Map<string, boolean>();
  const refusals: Refusal[] = [];
  for (const { workdir, sentinel } of stages) {
    if (workdir === undefined) continue;
    if (!there.has(workdir)) there.set(workdir, (await folderAt(join(tree, workdir), disk)) !== null);
    if (there.get(workdir) === false) refusals.push(missing(workdir, sentinel, tree));
  }
  return refusals;
}

function missing(workdir: string, sentinel: string, tree: string): Refusal {
  return {
    code: 'path-missing',
    path: sentinel,
    message: `workdir: there is no folder ${workdir} in ${tree}. Make it, or name another working tree with --in DIR.`,
    fix: `mkdir -p ${shellWord(join(tree, workdir))}`,
  };
}

async function folderAt(path: string, disk: Pick<Disk, 'real' | 'look'>): Promise<string | null> {
  const real = await realPath(path, disk);
  if (real === null) return null;
  return (await disk.look(real))?.kind === 'folder' ? real : null;
}
