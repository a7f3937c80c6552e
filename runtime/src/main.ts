/** The story of a run, from what was prepared to what was sealed. */
import { extname, join } from 'node:path';
import type { Refusal, Stage, Step } from '@gated-flow/assembly';
import { ASSEMBLY_COPY } from '@gated-flow/record';
import type { Prepared } from './plan/prepare.js';
import { begin, type Born } from './run/begin.js';
import { copyAssembly } from './run/copy.js';
import { broken } from './run/broken.js';
import { finish, type RunOutcome } from './run/finish.js';
import type { Machine } from './run/machine.js';
import type { RunOptions } from './run/options.js';
import { carryOver } from './run/resume/carry.js';
import { runScope } from './run/scope.js';
import { runStage } from './stage/run.js';
import type { Given, RunScope } from './stage/scope.js';
import { type Walked, walkSequence } from './walk/sequence.js';

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
  const { assembly, flow } = prepared.plan;
  if (!flow) throw new Error('a run needs a flow');
  await machine.disk.write(born.request.file, prepared.request.bytes, { durable: true });
  await copyAssembly(assembly.snapshot, join(born.claimed.folder, ASSEMBLY_COPY), machine.disk);
  await machine.disk.makeFolder(born.scratch);
  const { steps, given, walked } = await startingPoint(prepared, born, { options, machine });
  if (walked) return walked;
  const scope = runScope({ prepared, flow: prepared.plan.whole ?? flow, born, options, machine });
  const tmp = flow.tmp === 'flow' ? join(born.scratch, machine.ids.hex(12)) : undefined;
  return walkSequence(steps, given, (stage, given) => oneStage(scope, stage, { given, tmp }));
}

interface StartingPoint {
  readonly steps: readonly Step[];
  readonly given: readonly Given[];
  /** How the run has ended already. */
  readonly walked?: Walked;
}

/** Where a run begins to work: at the first step with the request, or behind what it carries over from another run (G-11). */
async function startingPoint(
  { plan }: Prepared,
  { claimed, recorder, request }: Born,
  { options, machine }: { options: RunOptions; machine: Machine },
): Promise<StartingPoint> {
  const steps = plan.flow?.steps ?? [];
  const { carried = [] } = options;
  const last = carried.at(-1);
  if (!last) return { steps, given: [request] };
  const over = await carryOver(carried, { disk: machine.disk, recorder, folder: claimed.folder });
  if (!over.ok) return { steps, given: [], walked: { ending: over.ending, stage: last.entry, output: null } };
  const rest = steps.slice(carried.length);
  const [output = null] = over.given;
  if (rest.length > 0) return { steps: rest, given: over.given };
  return { steps: rest, given: over.given, walked: { ending: { cause: 'success', exit: 0 }, stage: last.entry, output } };
}

async function oneStage(scope: RunScope, stage: Stage, at: { given: readonly Given[]; tmp: string | undefined }): Promise<Walked> {
  const { ending, output } = await runStage(scope, stage, at);
  if (output === null) return { ending, stage: stage.path, output };
  const name = `${stage.name}${extname(output.path)}`;
  return { ending, stage: stage.path, output: { name, file: join(scope.folder, output.path), sha256: output.sha256 } };
}
