import { resolve } from 'node:path';
import type { Refusal } from '@gated-flow/assembly';
import { createRedactor, type Redactor, secretValues } from '@gated-flow/text';
import type { RunView } from '@gated-flow/record';
import { createDisk } from '../io/disk.js';
import { processes } from '../io/processes.js';
import { loadConfig } from '../plan/config/load.js';
import { homePath } from '../plan/home.js';
import { commandInvalid, refused, type Resolved, found } from '../plan/refusal.js';
import type { Disk } from '../ports/disk.js';
import { findRun, type OpenRun } from '../record/find-run.js';
import { readRun } from '../record/read-run.js';
import { damageOf, emptyRecord } from '../record/reading-sentence.js';
import { isAlive } from '../record/run-state.js';

/** Where a run is looked for. Nothing of the process is used that is not given here. */
export interface ReadSurroundings {
  /** Absolute. */
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Where runs are kept; else `FLOW_HOME` and the usual places of `env`. */
  readonly home?: string;
}

export type NoRun = { readonly ok: false; readonly refusals: readonly Refusal[] };

/** A run that was read, with all that reading its children takes. */
export interface ReadableRun {
  readonly run: OpenRun;
  readonly view: RunView;
  readonly alive: boolean;
  readonly disk: Disk;
  /** By the environment and the home's own list (S-2). */
  readonly redactor: Redactor;
}

/** By a name, the beginning of one, `latest`, or the path of a folder. A home whose config cannot be read refuses: it may say what has to be masked. */
export async function openRun(word: string, { cwd, env, home: said }: ReadSurroundings): Promise<Resolved<ReadableRun>> {
  const disk = createDisk();
  const place = { cwd: resolve(cwd), env };
  const home = homePath(place, said);
  const config = await loadConfig(home, disk);
  if (!config.ok) return config;
  const named = await findRun(word, { home, cwd: place.cwd, disk });
  if (named.found !== 'one') return refused(commandInvalid(named.found === 'none' ? 'path-missing' : 'request-invalid', named.message));
  const { run } = named;
  const { view, reading } = await readRun(run.folder);
  const damage = damageOf(reading, run);
  if (view === null || damage !== null) return refused(commandInvalid('value-invalid', damage ?? emptyRecord(run)));
  const redactor = createRedactor(secretValues(env, config.value.redact));
  return found({ run, view, disk, redactor, alive: await isAlive(run.outermost, { disk, processes }) });
}
