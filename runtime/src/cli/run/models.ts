import type { Refusal } from '@gated-flow/assembly';
import type { ModelSource } from '@gated-flow/record';
import { resolve } from 'node:path';
import { rehearsalModel } from '../../models/rehearsal/model.js';
import { scriptedModel } from '../../models/scripted/model.js';
import { readScript } from '../../models/scripted/read.js';
import type { PlanRow } from '../../plan/plan.js';
import type { Prepared } from '../../plan/prepare.js';
import { DiskError } from '../../ports/disk.js';
import type { Model } from '../../ports/model.js';
import type { Machine } from '../../run/machine.js';
import type { Io } from '../command.js';
import type { RunWords } from '../run.js';

export type Models =
  | {
      readonly ok: true;
      readonly source: ModelSource;
      modelFor(row: PlanRow): Model;
      /** Lines of a script that nothing asked for (M-5). */
      leftOver(): readonly string[];
    }
  | { readonly ok: false; readonly refusals: readonly Refusal[] };

export interface Choosing {
  readonly words: RunWords;
  readonly io: Io;
  readonly machine: Machine;
}

/** What answers for the model in this run: a script, a rehearsal, or the provider of each stage's row. */
export async function chooseModels(prepared: Prepared, choosing: Choosing): Promise<Models> {
  const { words } = choosing;
  if (words.script !== undefined) return scripted(words.script, choosing);
  if (words.rehearse) return rehearsal(words.rehearseChoose);
  return providers(prepared, choosing);
}

async function scripted(file: string, { io, machine }: Choosing): Promise<Models> {
  const text = await readText(resolve(io.cwd, file), machine);
  if (text === null) return refused('request-invalid', `--script: ${file} cannot be read.`);
  const read = readScript(text);
  if (!read.ok) return read;
  const model = scriptedModel(read.script, { clock: machine.clock });
  return { ok: true, source: 'scripted', modelFor: () => model, leftOver: () => model.leftOver?.() ?? [] };
}

function rehearsal(choices: readonly string[]): Models {
  const wrong = choices.find((choice) => !/^[^=]+=[^=]+$/.test(choice));
  if (wrong !== undefined) return refused('request-invalid', `--rehearse-choose ${JSON.stringify(wrong)}: say STAGE=NAME.`);
  const choose = Object.fromEntries(choices.map((choice) => choice.split('=')).map(([stage, name]) => [stage ?? '', name ?? '']));
  const model = rehearsalModel({ choose });
  return { ok: true, source: 'rehearsal', modelFor: () => model, leftOver: () => [] };
}

/** One model for each row of the home that the plan names; all of them must open before the run is born (O-5). */
async function providers({ plan }: Prepared, { io, machine }: Choosing): Promise<Models> {
  const { openModel } = await import('../../models/provider/open.js');
  const models = new Map<string, Model>();
  for (const { intelligence } of plan.rows) {
    if (!intelligence || models.has(JSON.stringify(intelligence))) continue;
    const opened = await openModel(intelligence, { env: io.env, clock: machine.clock });
    if (!opened.ok) return opened;
    models.set(JSON.stringify(intelligence), opened.model);
  }
  return {
    ok: true,
    source: 'provider',
    modelFor(row) {
      const model = models.get(JSON.stringify(row.intelligence));
      if (!model) throw new Error(`no model was opened for ${row.stage}`);
      return model;
    },
    leftOver: () => [],
  };
}

async function readText(path: string, { disk }: Machine): Promise<string | null> {
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
