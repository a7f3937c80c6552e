import { createHash } from 'node:crypto';
import { resolve } from 'node:path';
import type { Refusal } from '@gated-flow/assembly';
import type { ModelSource } from '@gated-flow/record';
import type { JudgeSource } from '../contract/judging.js';
import type { PlanRow } from '../plan/plan.js';
import { type Disk, DiskError } from '../ports/disk.js';
import type { Clock } from '../ports/clock.js';
import type { Model } from '../ports/model.js';
import type { Environment } from './discovery.js';

/** What answers for the model: the provider of each stage's row, a script (M-5), or a rehearsal (M-6). */
export type ModelWords =
  | { readonly kind: 'provider' }
  | { readonly kind: 'scripted'; /** A path as typed. */ readonly file: string }
  | { readonly kind: 'rehearsal'; /** `STAGE=NAME`, what a choice selects. */ readonly choose: readonly string[] };

export type Models =
  | {
      readonly ok: true;
      readonly source: ModelSource;
      /** SHA-256 of the script, when there is one. */
      readonly script?: string;
      /** The models of one run: a script is read from its first line for each (M-5). */
      openModels(): (row: PlanRow) => Model;
      /** Who judges the clauses of contracts (M-4). */
      readonly judges: JudgeSource;
      /** Lines of a script that nothing asked for (M-5). */
      leftOver(): readonly string[];
    }
  | { readonly ok: false; readonly refusals: readonly Refusal[] };

export interface Choosing {
  readonly rows: readonly PlanRow[];
  readonly env: Environment;
  readonly cwd: string;
  readonly disk: Disk;
  readonly clock: Clock;
}

/** Opens everything that will be asked for a turn; what does not open refuses before the run is born (O-5). */
export async function chooseModels(words: ModelWords, choosing: Choosing): Promise<Models> {
  switch (words.kind) {
    case 'scripted':
      return scripted(words.file, choosing);
    case 'rehearsal':
      return rehearsal(words.choose, choosing);
    case 'provider':
      return providers(choosing);
  }
}

async function scripted(file: string, { cwd, disk, clock }: Choosing): Promise<Models> {
  const text = await readText(resolve(cwd, file), disk);
  if (text === null) return refused('request-invalid', `--script: ${file} cannot be read.`);
  const [{ readScript }, { openScript }] = await Promise.all([import('./scripted/read.js'), import('./scripted/model.js')]);
  const read = readScript(text);
  if (!read.ok) return read;
  const script = openScript(read.script, { clock });
  const openModels = (): (() => Model) => {
    const model = script.model();
    return () => model;
  };
  return {
    ok: true,
    source: 'scripted',
    script: createHash('sha256').update(text).digest('hex'),
    openModels,
    judges: { judges: 'script', answer: script.judge },
    leftOver: script.leftOver,
  };
}

async function rehearsal(choices: readonly string[], { rows }: Choosing): Promise<Models> {
  const [{ readChoices }, { rehearsalModel }] = await Promise.all([import('./rehearsal/choices.js'), import('./rehearsal/model.js')]);
  const read = readChoices(choices, rows);
  if (!read.ok) return refused('request-invalid', read.message);
  const model = rehearsalModel({ choose: read.choose });
  return { ok: true, source: 'rehearsal', openModels: () => () => model, judges: REHEARSED, leftOver: () => [] };
}

const REHEARSED: JudgeSource = { judges: 'nobody', why: 'a rehearsal asks no model' };

/** One model for each row of the home that the plan names; all of them must open before the run is born (O-5). */
async function providers({ rows, env, clock }: Choosing): Promise<Models> {
  const { openModel } = await import('./provider/open.js');
  const models = new Map<string, Model>();
  for (const { intelligence } of rows) {
    if (!intelligence || models.has(JSON.stringify(intelligence))) continue;
    const opened = await openModel(intelligence, { env, clock });
    if (!opened.ok) return opened;
    models.set(JSON.stringify(intelligence), opened.model);
  }
  return {
    ok: true,
    source: 'provider',
    openModels: () => (row) => {
      const model = models.get(JSON.stringify(row.intelligence));
      if (!model) throw new Error(`no model was opened for ${row.stage}`);
      return model;
    },
    judges: { judges: 'models' },
    leftOver: () => [],
  };
}

async function readText(path: string, disk: Disk): Promise<string | null> {
  try {
    return Buffer.from(await disk.read(path)).toString('utf8');
  } catch (error) {
    if (error instanceof DiskError) return null;
    throw error;
  }
}

function refused(code: Refusal['code'], message: string): Models {
  return { ok: false, refusals: [{ code, path: 'command', message }] };
}
