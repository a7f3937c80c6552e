/** What the checks of a stage work with when there is no run around them: the same scope, in scratch, with nobody to ask and no record. */
import { join } from 'node:path';
import { type Flow, subflowsInScope } from '@gated-flow/assembly';
import { ASSEMBLY_COPY, type Fact } from '@gated-flow/record';
import { createRedactor, secretValues } from '@gated-flow/text';
import { allRows } from '../plan/plan.js';
import type { Prepared } from '../plan/prepare.js';
import { openBudget } from '../run/budget.js';
import { callable } from '../run/callable.js';
import { copyAssembly } from '../run/copy.js';
import { withDeadline } from '../run/deadline.js';
import type { Machine } from '../run/machine.js';
import { judgingParts } from '../run/scope.js';
import { scratchPath } from '../run/scratch.js';
import { markWork } from '../record/claim.js';
import { runName } from '../record/run-place.js';
import type { RunScope } from '../stage/scope.js';

export interface Bench {
  /** A scope for the stages of one flow; what it records is told to `tell`. */
  scopeOf(flow: Flow, tell: (fact: Fact) => void): RunScope;
  /** Ends every process and takes the scratch away. Rejects with a DiskError. */
  clear(): Promise<void>;
}

/** Copies the assembly as a run does, so that nothing is executed that a run would not have. Rejects with a DiskError. */
export async function openBench(prepared: Prepared, machine: Machine): Promise<Bench> {
  const { plan, config, workdir, slots, home } = prepared;
  const { assembly } = plan;
  const { disk, clock, ids, env, temporary } = machine;
  const scratch = scratchPath({ env, temporary, workdir }, ids.hex(16));
  const copy = join(scratch, ASSEMBLY_COPY);
  const marks = await markWork(home, machine);
  marks?.scratch(scratch);
  const programs = machine.programs((leader) => marks?.group(leader));
  await copyAssembly(assembly.snapshot, copy, disk);
  const run = runName(clock.now(), ids.hex(4));
  const rows = new Map(allRows(plan).map((row) => [row.step, row]));
  const shared = {
    ...judgingParts({ plan, config, copy, run, machine }),
    containing: null,
    ...{ run, copy, scratch, assembly, config, workdir, slots },
    ports: { disk, programs, clock, ids },
    stop: withDeadline(machine.signals, clock, undefined),
    folder: join(scratch, 'record'),
    budget: openBudget(0),
    redactor: createRedactor(secretValues(env, config.redact)),
    watch: () => {},
    children: { depth: 0, run: noAgent },
    contracts: null,
    governance: null,
    reuse: null,
    openSession: noAgent,
    modelFor: noAgent,
    fixtureOf: () => null,
  };
  return {
    scopeOf: (flow, tell) => ({
      ...shared,
      flow,
      recorder: { append: tell, sync: async () => {}, intact: async () => true, close: () => {} },
      helpersOf: (stage) => callable(subflowsInScope(assembly, flow, stage), [flow]),
      rowOf(stage) {
        const row = rows.get(stage);
        if (row === undefined) throw new Error(`the plan has no row for ${stage.entry}`);
        return row;
      },
    }),
    async clear() {
      await programs.sweep(scratch, scratch);
      await disk.remove(scratch);
      await marks?.release();
    },
  };
}

function noAgent(): never {
  throw new Error('no agent works where files are judged');
}
