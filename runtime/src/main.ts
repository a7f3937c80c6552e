/** The story of a run, from what was prepared to what was sealed. */
import { join } from 'node:path';
import type { Refusal } from '@gated-flow/assembly';
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
import { walkFlow } from './run/walk-flow.js';
import type { Walked } from './walk/walk.js';

/** Refused before it was born, or how it ended. */
export type Ran = { readonly ok: true; readonly outcome: RunOutcome } | { readonly ok: false; readonly refusals: readonly Refusal[] };

/** Runs a plan to its end. Rejects with a DiskError only when the run could not be born; whatever happens later is an ending (E-1). */
export async function runPrepared(prepared: Prepared, options: RunOptions, machine: Machine): Promise<Ran> {
  const begun = await begin(prepared, options, machine);
  if (!begun.ok) return begun;
  const { born } = begun;
  const ended = await perform(prepared, born, { options, machine }).catch((error: unknown) => broken(error, options));
  return { ok: true, outcome: await finish(born, ended, { options, machine }) };
}

/** Lays the run out, then walks its flow: every stage receives what stands directly before it. */
async function perform(prepared: Prepared, born: Born, { options, machine }: { options: RunOptions; machine: Machine }): Promise<Walked> {
  const { assembly, rows, ...plan } = prepared.plan;
  const { recorder, request, scratch, claimed } = born;
  await machine.disk.write(request.file, prepared.request.bytes, { durable: true });
  await copyAssembly(assembly.snapshot, join(claimed.folder, ASSEMBLY_COPY), machine.disk);
  await machine.disk.makeFolder(scratch);
  const world = runWorld({ prepared, born, options, machine });
  const flow = plan.flow ?? assemblyAgent(assembly);
  const part: RunPart = { recorder, folder: claimed.folder, flow: plan.whole ?? flow, rows, callers: [] };
  const start = await startingPoint(flow.steps, born, { options, machine });
  if ('walked' in start) return start.walked;
  return walkFlow(runScope(world, part, openChildren(world, part)), start.steps, start.given);
}
