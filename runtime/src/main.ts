/** The story of a run, from what was prepared to what was sealed. */
import { join } from 'node:path';
import type { Refusal, Step } from '@gated-flow/assembly';
import { ASSEMBLY_COPY } from '@gated-flow/record';
import type { Prepared } from './plan/prepare.js';
import { assemblyAgent } from './run/assembly-agent.js';
import { begin, type Born } from './run/begin.js';
import { openChildren } from './run/children.js';
import { copyAssembly } from './run/copy.js';
import { broken } from './run/broken.js';
import { finish, type RunOutcome } from './run/finish.js';
import type { Machine } from './run/machine.js';
import type { RunOptions } from './run/options.js';
import { startingPoint } from './run/resume/start.js';
import { type RunPart, runScope, runWorld } from './run/scope.js';
import { layOutSandbox } from './run/sandbox.js';
import { walkFlow } from './run/walk-flow.js';
import type { RunScope } from './stage/scope.js';
import type { Walked } from './walk/walk.js';

/** Refused before it was born, or how it ended. */
export type Ran = { readonly ok: true; readonly outcome: RunOutcome } | { readonly ok: false; readonly refusals: readonly Refusal[] };

export interface LaidOut {
  readonly scope: RunScope;
  /** What is to run of the flow: one stage alone when that was named. */
  readonly steps: readonly Step[];
  readonly born: Born;
  readonly options: RunOptions;
  readonly machine: Machine;
}

/** What a run does once it is laid out: it walks its flow, or judges an earlier run again (M-7). */
export type Work = (run: LaidOut) => Promise<Walked>;

/** Runs a plan to its end. Rejects with a DiskError only when the run could not be born; whatever happens later is an ending (E-1). */
export async function runPrepared(prepared: Prepared, options: RunOptions, machine: Machine, work: Work = walk): Promise<Ran> {
  const begun = await begin(prepared, options, machine);
  if (!begun.ok) return begun;
  const { born } = begun;
  const ended = await layOut(prepared, { born, options, machine })
    .then(work)
    .catch((error: unknown) => broken(error, options));
  return { ok: true, outcome: await finish(born, ended, { options, machine }) };
}

/** Keeps what was asked and what will be used, so that nothing changes under the run (O-8). */
async function layOut(prepared: Prepared, { born, options, machine }: Omit<LaidOut, 'scope' | 'steps'>): Promise<LaidOut> {
  const { assembly, rows, ...plan } = prepared.plan;
  const { recorder, request, scratch, claimed } = born;
  await machine.disk.write(request.file, prepared.request.bytes, { durable: true });
  await copyAssembly(assembly.snapshot, join(claimed.folder, ASSEMBLY_COPY), machine.disk);
  await machine.disk.makeFolder(scratch);
  const world = runWorld({ prepared, born, options, machine });
  await layOutSandbox(world.containing, machine);
  const flow = plan.flow ?? assemblyAgent(assembly);
  const part: RunPart = { recorder, folder: claimed.folder, flow: plan.whole ?? flow, rows, callers: [], within: '' };
  return { scope: runScope(world, part, openChildren(world, part)), steps: flow.steps, born, options, machine };
}

/** Every stage receives what stands directly before it. */
async function walk({ scope, steps, born, options, machine }: LaidOut): Promise<Walked> {
  const start = await startingPoint(steps, born, { options, machine });
  return 'walked' in start ? start.walked : walkFlow(scope, start.steps, start.given);
}
