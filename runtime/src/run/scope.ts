import { join } from 'node:path';
import { compileSchema, type Flow, type SchemaValidator, type Stage } from '@gated-flow/assembly';
import { ASSEMBLY_COPY } from '@gated-flow/record';
import type { PlanRow } from '../plan/plan.js';
import type { Prepared } from '../plan/prepare.js';
import { openSession } from '../record/open-session.js';
import type { RunScope } from '../stage/scope.js';
import type { Born } from './begin.js';
import type { Machine } from './machine.js';
import type { RunOptions } from './options.js';
import { pristine } from './pristine.js';

interface ScopeParts {
  readonly prepared: Prepared;
  readonly flow: Flow;
  readonly born: Born;
  readonly options: RunOptions;
  readonly machine: Machine;
}

/** What all stages of the run share. */
export function runScope({ prepared, flow, born, options, machine }: ScopeParts): RunScope {
  const { plan } = prepared;
  const { disk, clock, ids } = machine;
  const folder = born.claimed.folder;
  const copy = join(folder, ASSEMBLY_COPY);
  const rows = new Map(plan.rows.map((row) => [row.stage, row]));
  const validators = new Map<string, Promise<SchemaValidator>>();
  return {
    ports: { disk, programs: born.programs, clock, ids },
    stop: born.stop,
    recorder: born.recorder,
    openSession: (path) => openSession(machine.openAppend(path), clock),
    budget: born.budget,
    redactor: born.redactor,
    watch: (activity) => options.onActivity?.(activity),
    run: born.claimed.name,
    folder,
    copy,
    pristine: pristine(plan.assembly.snapshot, copy, disk),
    scratch: born.scratch,
    assembly: plan.assembly,
    flow,
    config: prepared.config,
    env: machine.env,
    workdir: born.workdir,
    slots: prepared.slots,
    rowOf: (stage) => rowOf(rows, stage),
    modelFor: (row) => options.modelFor(row),
    fixtureOf: (stage) => (options.source === 'rehearsal' ? textOf(machine.fixture(plan.source, stage.entry)) : null),
    validatorOf(schema) {
      const known = validators.get(schema.path) ?? compileSchema(schema);
      validators.set(schema.path, known);
      return known;
    },
  };
}

function rowOf(rows: ReadonlyMap<string, PlanRow>, stage: Stage): PlanRow {
  const row = rows.get(stage.path);
  if (!row) throw new Error(`the plan has no row for ${stage.path}`);
  return row;
}

function textOf(bytes: Uint8Array | null): string | null {
  return bytes === null ? null : Buffer.from(bytes).toString('utf8');
}
