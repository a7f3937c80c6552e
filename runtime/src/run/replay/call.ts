/** A replay from its words to its outcome (M-7). */
import { resolve } from 'node:path';
import type { Refusal } from '@gated-flow/assembly';
import { runPrepared } from '../../main.js';
import { homePath } from '../../plan/home.js';
import { present } from '../../plan/options/inheritable.js';
import type { Prepared } from '../../plan/prepare.js';
import { openHome } from '../../record/home.js';
import { readSandboxWords, type SandboxWords, sandboxWords } from '../../sandbox/wish.js';
import { prepareCall, type Watchers, type World } from '../call.js';
import { askAgain, type NewWords } from '../donor/ask-again.js';
import { type DamagedDonor, type Donor, refusedDonor } from '../donor/donor.js';
import { openOriginal } from '../donor/open-original.js';
import { refuseGone } from '../donor/refuse-gone.js';
import { workingTree } from '../donor/working-tree.js';
import type { RunOutcome } from '../finish.js';
import type { Machine } from '../machine.js';
import type { RunOptions } from '../options.js';
import { findSandbox, refuseSandbox, type SandboxFound } from '../sandbox.js';
import type { ReplayRow } from './rows.js';
import { replayDonor } from './work.js';

export interface ReplayCall<W extends Watchers = Watchers> {
  /** A run's name, the beginning of one, `latest`, or the path of its folder. */
  readonly run: string;
  readonly words: NewWords;
  /** As typed; what is not said is as it was in the run. */
  readonly sandbox?: SandboxWords;
  watch?(prepared: Prepared, source: 'replay'): Promise<W> | W;
}

export type Replayed =
  | { readonly ok: true; readonly donor: Donor; readonly outcome: RunOutcome; readonly rows: readonly ReplayRow[] }
  | { readonly ok: false; readonly refusals: readonly Refusal[] }
  | { readonly ok: false; readonly damaged: DamagedDonor };

/** Rejects with a DiskError, or the system's error, only when the donor could not be read or no replay could be born. */
export async function callReplay<W extends Watchers>(call: ReplayCall<W>, world: World): Promise<Replayed> {
  const { cwd, calm } = world;
  const words = call.words.assembly === undefined ? call.words : { ...call.words, assembly: resolve(cwd, call.words.assembly) };
  const opened = await openOriginal(call.run, { home: homePath({ env: calm.env, cwd }, words.home), cwd, ...calm });
  if (!opened.ok) return opened;
  const { donor } = opened;
  const tree = words.in ?? (await workingTree(donor, calm.disk)).in;
  const gone = (await refuseGone(donor, { ...words, in: tree }, calm.disk)) ?? refuseUnjudged(donor);
  if (gone !== null) return gone;

  const prepared = await prepareCall({ ...askAgain(donor, { ...words, in: tree }), purpose: 'run', models: 'replay' }, world);
  if (!prepared.ok) return prepared;
  const machine = world.machine();
  const contained = await sandboxOf(call, donor, { prepared, machine });
  if (!contained.ok) return contained;
  const home = await openHome(prepared.home, machine);
  if (home) return { ok: false, refusals: [home] };

  const watch = await call.watch?.(prepared, 'replay');
  const options: RunOptions = {
    ...watch,
    source: 'replay',
    continuedFrom: donor.name,
    openModels: () => noModel,
    judges: NO_JUDGE,
    ...present({ sandbox: contained.sandbox ?? undefined }),
  };
  const rows: ReplayRow[] = [];
  const replayed = await runPrepared(prepared, options, machine, ({ scope }) => replayDonor(scope, donor, (row) => rows.push(row))).finally(
    () => watch?.onEnd?.(),
  );
  return replayed.ok ? { ...replayed, donor, rows } : replayed;
}

/** A replay starts gates alone: a sandbox that covers only agents has nothing to contain. */
async function sandboxOf(
  { sandbox: said = {} }: Pick<ReplayCall, 'sandbox'>,
  { view }: Donor,
  { prepared, machine }: { readonly prepared: Prepared; readonly machine: Machine },
): Promise<SandboxFound> {
  const kept = view.sandbox?.covers === 'all' ? sandboxWords(view.sandbox) : {};
  const wish = readSandboxWords(said.sandbox === 'none' ? said : { ...kept, ...said });
  if (!wish.ok) return refuseSandbox(wish.message);
  if (wish.sandbox?.covers === 'agent')
    return refuseSandbox('--sandbox: a replay starts no agent. Say --sandbox=all to contain its gates.');
  return findSandbox(wish.sandbox, prepared, machine);
}

function refuseUnjudged({ name, view }: Donor) {
  if (view.stages.some(({ rounds }) => rounds.some(({ checks }) => checks.length > 0))) return null;
  return refusedDonor(`Nothing was judged in ${name}, so there is nothing to judge again.`);
}

const NO_JUDGE = { judges: 'nobody', why: 'a replay asks no model' } as const;

function noModel(): never {
  throw new Error('a replay asks no model');
}
