/** The sandbox of a run: whether there can be one, and what its stages share (I-13). */
import { join } from 'node:path';
import type { Refusal } from '@gated-flow/assembly';
import type { Sandboxed } from '@gated-flow/record';
import { isWithin } from '../agent/tools/place.js';
import type { Prepared } from '../plan/prepare.js';
import type { Launcher } from '../ports/containment.js';
import { explainNoLauncher } from '../sandbox/no-launcher.js';
import type { RunSandbox } from '../sandbox/stage-sandbox.js';
import type { Born } from './begin.js';
import type { Machine } from './machine.js';

/** What is wished, and what makes it possible. */
export interface SandboxOption extends Sandboxed {
  readonly launcher: Launcher;
  /** The user's home folders: real paths. */
  readonly homes: readonly string[];
}

/** Nothing is contained in a tree that is the system's. */
const IMPOSSIBLE = ['/', '/run', '/proc', '/sys', '/dev'];

export type SandboxFound =
  | {
      readonly ok: true;
      readonly sandbox: SandboxOption | null;
      /** What somebody should hear who works in the whole of their home. */
      readonly notice: string | null;
    }
  | { readonly ok: false; readonly refusals: readonly Refusal[] };

/** The sandbox as it can be had, or why it cannot (I-13): asked before anything of a run is made. */
export async function findSandbox(
  wish: Sandboxed | null,
  { workdir, home }: Pick<Prepared, 'workdir' | 'home'>,
  machine: Pick<Machine, 'findLauncher' | 'disk' | 'env'>,
): Promise<SandboxFound> {
  if (wish === null) return { ok: true, sandbox: null, notice: null };
  const found = await machine.findLauncher(wish.network);
  if (found.found !== 'works') {
    const { what, why, fix } = explainNoLauncher(found);
    return refuseSandbox(`--sandbox: ${what}. ${why}`, fix);
  }
  if (IMPOSSIBLE.some((folder) => folder === workdir || (folder !== '/' && folder !== '/run' && isWithin(workdir, folder))))
    return refuseSandbox(`--sandbox: the working tree is ${workdir}, and all of it would be writable. Say --in DIR.`);
  if (workdir === ((await machine.disk.real(home)) ?? home))
    return refuseSandbox(`--sandbox: the working tree is the home of flow, ${workdir}, which must not be seen. Say --in DIR.`);
  const homes = await homesOf(found.launcher, machine);
  return {
    ok: true,
    sandbox: { ...wish, launcher: found.launcher, homes },
    notice: homes.some((each) => isWithin(each, workdir)) ? HOME_NOTICE : null,
  };
}

const HOME_NOTICE =
  'The working tree holds your whole home folder. Credentials in it are hidden, but new files in it may act outside the sandbox. --in DIR works in a part of it.';

async function homesOf({ home }: Launcher, { env, disk }: Pick<Machine, 'env' | 'disk'>): Promise<readonly string[]> {
  const homes = await Promise.all([env['HOME'] ?? '/', home].map(async (path) => (path.startsWith('/') ? await disk.real(path) : null)));
  return [...new Set(homes.flatMap((path) => (path === null || path === '/' ? [] : [path])))];
}

export function refuseSandbox(message: string, fix?: string): { ok: false; refusals: readonly Refusal[] } {
  return { ok: false, refusals: [{ code: 'value-invalid', path: 'command', message, ...(fix === undefined ? {} : { fix }) }] };
}

/** What the first line of a record says of it. */
export function recordedSandbox({ sandbox }: { readonly sandbox?: SandboxOption }): { readonly sandbox?: Sandboxed } {
  return sandbox === undefined ? {} : { sandbox: { covers: sandbox.covers, network: sandbox.network } };
}

interface Parts {
  readonly prepared: Prepared;
  readonly born: Born;
  readonly machine: Machine;
  readonly options: { readonly sandbox?: SandboxOption };
}

/** What all stages of a run share; null without a sandbox. */
export function runSandbox({ prepared, born, machine, options }: Parts): RunSandbox | null {
  const { sandbox } = options;
  if (sandbox === undefined) return null;
  const { env, temporary, disk } = machine;
  const { launcher, homes, ...wish } = sandbox;
  return {
    wish,
    launcher,
    confine: machine.confine,
    emptyFile: join(born.scratch, EMPTY),
    scratch: join(born.scratch, 'launches'),
    places: {
      ...{ env, homes, temporary, disk },
      ours: [prepared.home, born.claimed.folder],
      snapshot: prepared.plan.assembly.snapshot,
      network: wish.network,
    },
  };
}

const EMPTY = 'none';

/** Makes what stands for a hidden file. Rejects with a DiskError. */
export function layOutSandbox(sandbox: RunSandbox | null, { disk }: Pick<Machine, 'disk'>): Promise<void> {
  return sandbox === null ? Promise.resolve() : disk.write(sandbox.emptyFile, '', { mode: 0o444 });
}
