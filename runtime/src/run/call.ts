/** A run from its words to its outcome: everything that can refuse does so before the run is born (O-5). */
import { type Refusal, readAssembly } from '@gated-flow/assembly';
import type { ModelSource } from '@gated-flow/record';
import { runPrepared } from '../main.js';
import { chooseModels, type ModelWords } from '../models/choose.js';
import { type Discovery, discoverDefault, type Fetch, probeOllama } from '../models/discovery.js';
import type { ReadConfig } from '../plan/config/load.js';
import { present } from '../plan/options/inheritable.js';
import type { Invocation } from '../plan/invocation.js';
import { allRows } from '../plan/plan.js';
import { type Preparation, prepare, type Prepared, type StandardInput } from '../plan/prepare.js';
import { openHome } from '../record/home.js';
import type { RunOutcome } from './finish.js';
import type { Machine } from './machine.js';
import { findSandbox } from './sandbox.js';
import type { RunOptions } from './options.js';
import { findHonoured } from './honoured.js';
import { readWishes, type RunWishes } from './wishes.js';

export interface RunCall<W extends Watchers = Watchers> {
  readonly invocation: Omit<Invocation, 'purpose' | 'models'>;
  readonly models: ModelWords;
  readonly wishes: RunWishes;
  /** What the run takes over from an earlier one (G-11). */
  readonly continuing?: Pick<RunOptions, 'continuedFrom' | 'carried' | 'given'>;
  /** Asked once everything is known, just before the run is born. */
  watch?(prepared: Prepared, source: ModelSource): Promise<W> | W;
}

export type Watchers = Pick<RunOptions, 'onFact' | 'onActivity' | 'onNotice' | 'approve'> & {
  /** Nothing more will be told. */
  readonly onEnd?: () => void;
};

export interface World {
  /** Absolute. */
  readonly cwd: string;
  readonly stdin: StandardInput;
  readonly readConfig: ReadConfig;
  readonly fetch: Fetch;
  /** Opened once the words are read: from then on a signal stops the run and not the process. */
  machine(): Machine;
  readonly calm: Pick<Machine, 'disk' | 'clock' | 'env' | 'processes'>;
}

/** As much of it as a prepared run takes. */
export type RunWorld = Pick<World, 'cwd' | 'calm' | 'machine'>;

export type Called<W extends Watchers = Watchers> =
  | {
      readonly ok: true;
      readonly outcome: RunOutcome;
      /** Lines of a script that nothing asked for (M-5). */
      readonly leftOver: readonly string[];
      readonly watch: W | undefined;
    }
  | { readonly ok: false; readonly refusals: readonly Refusal[] };

/** Rejects with a DiskError only when the run could not be born. */
export async function callRun<W extends Watchers>(call: RunCall<W>, world: World): Promise<Called<W>> {
  const prepared = await prepareCall({ ...call.invocation, purpose: 'run', models: call.models.kind }, world);
  return prepared.ok ? performCall(prepared, call, world) : prepared;
}

/** Everything that can be known before a run, in this world (see `prepare`). */
export function prepareCall(invocation: Invocation, world: World): Promise<Preparation> {
  const { cwd, stdin, readConfig, fetch } = world;
  const { disk, clock, env } = world.calm;
  const discover = async (): Promise<Discovery | null> => discoverDefault(env) ?? (await probeOllama(fetch, env, clock));
  return prepare(invocation, { env, cwd, disk, readConfig, readAssembly, stdin, discover });
}

/** A prepared run to its outcome. Rejects with a DiskError only when it could not be born. */
export async function performCall<W extends Watchers>(
  prepared: Prepared,
  call: Omit<RunCall<W>, 'invocation'>,
  world: RunWorld,
): Promise<Called<W>> {
  const { disk, clock, env } = world.calm;
  const { cwd } = world;
  const models = await chooseModels(call.models, { rows: allRows(prepared.plan), env, cwd, disk, clock });
  if (!models.ok) return models;
  const wishes = await readWishes(call.wishes, { cwd, disk });
  if (!wishes.ok) return wishes;
  const machine = world.machine();
  const found = await findSandbox(wishes.sandbox, prepared, machine);
  if (!found.ok) return found;
  const home = await openHome(prepared.home, machine);
  if (home) return { ok: false, refusals: [home] };
  const honoured = await findHonoured(prepared, call.wishes.acceptAdvisory === true, machine);
  if (!honoured.ok) return honoured;

  const watch = await call.watch?.(prepared, models.source);
  if (found.notice !== null) watch?.onNotice?.(found.notice);
  const options: RunOptions = {
    ...wishes.options,
    ...(honoured.advisory.length === 0 ? {} : { advisory: honoured.advisory }),
    ...watch,
    ...call.continuing,
    source: models.source,
    openModels: models.openModels,
    judges: models.judges,
    ...present({ script: models.script, sandbox: found.sandbox ?? undefined }),
  };
  const ran = await runPrepared(prepared, options, machine).finally(() => watch?.onEnd?.());
  return ran.ok ? { ...ran, leftOver: models.leftOver(), watch } : ran;
}
