import type { ReadResult, Refusal } from '@gated-flow/assembly';
import type { Asked } from '@gated-flow/record';
import type { Discovery, Environment } from '../models/discovery.js';
import type { Disk } from '../ports/disk.js';
import type { ReadConfig } from './config/load.js';
import { fixedFromHere } from './fix.js';
import { homePath } from './home.js';
import type { Invocation } from './invocation.js';
import type { HomeConfig, Plan, Request } from './plan.js';
import { commandInvalid } from './refusal.js';
import { resolveRun } from './resolve-run.js';
import { mistypedOptions } from './slots.js';
import { resolveTarget } from './target.js';

/** What the preparation may touch. Nothing is written, no record and no home is made. */
export interface PreparePorts {
  readonly env: Environment;
  /** Absolute. */
  readonly cwd: string;
  readonly disk: Pick<Disk, 'readHead' | 'look' | 'real' | 'list'>;
  readonly readConfig: ReadConfig;
  /** `readAssembly` of the assembly package; fixes are written for a shell in `cwd`. */
  readAssembly(path: string, cwd: string): Promise<ReadResult>;
  readonly stdin: StandardInput;
  /** The row that `default` stands for when the home has none; `run` may also ask the machine for a local model (M-2). */
  discover(): Promise<Discovery | null>;
}

export interface StandardInput {
  readonly isTerminal: boolean;
  /**
   * Reads to the end, but at most `limit` bytes and one more, so that more is seen to be too much.
   * `silent` is called once when a second has passed without a byte (O-3).
   */
  read(limit: number, silent: () => void): Promise<Uint8Array>;
  /** Says a sentence to the person on standard error. */
  notice(sentence: string): void;
}

/** Everything that a run needs before it is born. */
export interface Prepared {
  readonly ok: true;
  readonly plan: Plan;
  /** For a `check` without one: empty, `from: 'none'`. */
  readonly request: Request;
  readonly config: HomeConfig;
  /** Absolute path of the home; it need not exist yet (O-6). */
  readonly home: string;
  /** Absolute, real path of the working tree. */
  readonly workdir: string;
  /** Declared slots as the stages see them: `NAME` in upper case → absolute, real path. */
  readonly slots: Readonly<Record<string, string>>;
  readonly limits: RunLimits;
  /** The words by which the same can be asked again. */
  readonly asked: Asked;
}

/** Limits of the whole run; absent when nobody set one (I-5). */
export interface RunLimits {
  readonly deadlineSeconds?: number;
  readonly maxCostUsd?: number;
}

export interface Refused {
  readonly ok: false;
  readonly refusals: readonly Refusal[];
  /** Absolute path of the assembly's root as far as it was found, for the commands in the refusals' fixes. */
  readonly source: string | null;
}

export type Preparation = Prepared | Refused;

/** Reads, resolves and judges everything that can be known before a run; never throws for anything that was typed or found. */
export async function prepare(invocation: Invocation, ports: PreparePorts): Promise<Preparation> {
  const home = homePath(ports, invocation.home);
  if (home === null) return { ok: false, refusals: [noHome()], source: null };
  const target = await resolveTarget(invocation.target, home, ports);
  if (!target.ok) return { ...target, source: null };
  const read = await ports.readAssembly(target.value, ports.cwd);
  const sound = read.ok ? read : read.sound;
  const faults = read.ok ? [] : read.refusals;
  if (sound === undefined) {
    const nothing = faults.some(({ code }) => code === 'assembly-unknown');
    return { ok: false, refusals: nothing ? [...faults, ...mistypedOptions(invocation)] : faults, source: read.ok ? null : read.root };
  }
  const { root } = sound.assembly.snapshot;
  const resolved = await resolveRun({ invocation, home, assembly: sound.assembly, focus: sound.focus, faults }, ports);
  if (resolved.ok) return resolved.value;
  return { ok: false, refusals: [...faults, ...fixedFromHere(resolved.refusals, root, ports.cwd)], source: root };
}

function noHome(): Refusal {
  return commandInvalid('request-invalid', 'There is no home: --home is empty, or neither HOME nor FLOW_HOME is set. Say --home DIR.');
}
