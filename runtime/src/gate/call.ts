/** Files under the checks of stages, from what was typed to what came of it. No model is asked, no record is made (I-1). */
import { join, resolve } from 'node:path';
import { type Flow, flowsWithin, type Refusal, type Stage, stagesOf } from '@gated-flow/assembly';
import { contractsOver } from '../contract/places.js';
import { readGivenFolder } from '../given/folder.js';
import type { Invocation } from '../plan/invocation.js';
import type { Prepared } from '../plan/prepare.js';
import { commandInvalid, found, refused, type Resolved } from '../plan/refusal.js';
import { realPath } from '../plan/real-path.js';
import type { StopReason } from '../ports/stop.js';
import { prepareCall, type World } from '../run/call.js';
import type { Given } from '../stage/scope.js';
import { type Bench, openBench } from './bench.js';
import { type Candidate, fixtureInput, fixturesOf } from './fixtures.js';
import { judgeFile } from './judge.js';
import type { JudgedFile, StageProof } from './proof.js';

export interface GateCall {
  readonly invocation: Omit<Invocation, 'purpose' | 'models' | 'request' | 'route'>;
  /** Files that must pass, as typed; none: the stage's own fixtures. */
  readonly outputs: readonly string[];
  /** A folder of what the stage is given, as typed; else `.fixtures/input/`. */
  readonly input?: string;
  /** Told of a stage before its files are judged, and of each file as soon as it is. */
  watch?(prepared: Prepared): GateWatch;
}

export interface GateWatch {
  stage(proof: StageProof, candidates: readonly Candidate[]): Promise<void>;
  file(judged: JudgedFile): Promise<void>;
}

/** `stopped`: a signal came, and the proofs are those of before. */
export type Gated =
  | { readonly ok: true; readonly prepared: Prepared; readonly proofs: readonly StageProof[]; readonly stopped: StopReason | null }
  | { readonly ok: false; readonly refusals: readonly Refusal[] };

/** Rejects with a DiskError only when the scratch folder cannot be made or removed. */
export async function callGate(call: GateCall, world: World): Promise<Gated> {
  const invocation = { ...call.invocation, request: { words: [], none: true }, route: false };
  const prepared = await prepareCall({ ...invocation, purpose: 'run', models: 'rehearsal' }, world);
  if (!prepared.ok) return prepared;
  const trials = await trialsOf(prepared, call, world);
  if (!trials.ok) return trials;

  const machine = world.machine();
  const bench = await openBench(prepared, machine);
  const watch = call.watch?.(prepared);
  const proofs: StageProof[] = [];
  try {
    for (const trial of trials.value) {
      const proof = await prove(trial, { bench, named: call.outputs.length > 0, watch });
      proofs.push(proof);
      if (machine.signals.reason() !== null) break;
    }
  } finally {
    await bench.clear();
  }
  return { ok: true, prepared, proofs, stopped: machine.signals.reason() };
}

/** A stage, and what is tried on it. */
interface Trial {
  readonly prepared: Prepared;
  readonly flow: Flow;
  readonly stage: Stage;
  readonly candidates: readonly Candidate[];
  readonly given: readonly Given[];
}

async function trialsOf(
  prepared: Prepared,
  { outputs, input }: GateCall,
  { cwd, calm: { disk } }: World,
): Promise<Resolved<readonly Trial[]>> {
  const stages = judgedStages(prepared);
  const [first, ...others] = stages;
  if (first === undefined)
    return refused(commandInvalid('value-invalid', 'No stage here has a schema or a gate: there is nothing to try.'));
  if (outputs.length > 0 && others.length > 0) return refused(severalStages(stages.map(({ stage }) => stage)));
  const named = await namedFiles(outputs, cwd, disk);
  if (!named.ok) return named;

  const trials: Trial[] = [];
  for (const { flow, stage } of stages) {
    const folder = join(prepared.plan.source, stage.entry);
    const given = input === undefined ? await fixtureInput(folder, disk) : await readGivenFolder(resolve(cwd, input), input, disk);
    if (!given.ok) return given;
    const candidates = outputs.length > 0 ? named.value : await fixturesOf(folder, disk);
    trials.push({ prepared, flow, stage, candidates, given: given.value });
  }
  if (trials.some(({ candidates }) => candidates.length > 0)) return found(trials);
  return refused(
    commandInvalid(
      'path-missing',
      `There is no file to try. Put outputs that must pass in .fixtures/pass/ and such that must not in .fixtures/fail/, in the folder of the stage (${stages
        .slice(0, 3)
        .map(({ stage }) => stage.entry)
        .join(', ')}${stages.length > 3 ? ', …' : ''}), or name a file.`,
    ),
  );
}

/** Every stage that was named and has something that judges a file; those of subflows that are called on the way included. */
function judgedStages({ plan, asked }: Prepared): readonly { flow: Flow; stage: Stage }[] {
  const { whole, assembly, callable } = plan;
  const flows = new Map(flowsWithin(assembly).map(({ flow }) => [flow.path, flow]));
  const meant = [...flows.values()].filter(({ path }) => path === whole?.path || (asked.stage === undefined && callable.has(path)));
  return meant.flatMap((flow) =>
    stagesOf(flow)
      .filter((stage) => asked.stage === undefined || stage.path === asked.stage)
      .filter(({ schema, gates }) => schema !== undefined || gates.length > 0)
      .map((stage) => ({ flow, stage })),
  );
}

function severalStages(stages: readonly Stage[]): Refusal {
  const entries = stages.slice(0, 10).map(({ entry }) => entry);
  return commandInvalid(
    'request-invalid',
    `A file is judged by one stage, and ${stages.length} of them could. Name one: ${entries.join(', ')}${stages.length > entries.length ? ', …' : ''}.`,
  );
}

async function namedFiles(outputs: readonly string[], cwd: string, disk: World['calm']['disk']): Promise<Resolved<readonly Candidate[]>> {
  const candidates: Candidate[] = [];
  const missing: Refusal[] = [];
  for (const shown of outputs) {
    const path = shown === '' ? null : await realPath(resolve(cwd, shown), disk);
    if (path === null)
      missing.push(commandInvalid('path-missing', shown === '' ? 'The name of a file is empty.' : `There is no file ${shown}.`));
    else candidates.push({ path, shown, expected: 'pass' });
  }
  return missing.length > 0 ? refused(...missing) : found(candidates);
}

interface Proving {
  readonly bench: Bench;
  /** The person named the files: nothing is said of what no file shows. */
  readonly named: boolean;
  readonly watch: GateWatch | undefined;
}

async function prove({ prepared, flow, stage, candidates, given }: Trial, { bench, named, watch }: Proving): Promise<StageProof> {
  const files: JudgedFile[] = [];
  const about = {
    stage: stage.entry,
    name: stage.name,
    checks: [...(stage.schema === undefined ? [] : [`schema.${stage.schema.kind}`]), ...stage.gates.map(({ name }) => name)],
    not_tried: [
      ...(stage.checklist.length > 0 ? ['checklist'] : []),
      ...(contractsOver(prepared.plan.assembly, flow, stage).length > 0 ? ['contract'] : []),
    ],
  };
  await watch?.stage({ ...about, files, never_failed: [] }, candidates);
  for (const candidate of candidates) {
    const judged = await judgeFile({ scopeWith: (tell) => bench.scopeOf(flow, tell), stage, given }, candidate);
    if (judged === null) break;
    files.push(judged);
    await watch?.file(judged);
  }
  const failed = new Set(files.flatMap(({ check, verdict }) => (verdict === 'fail' ? [check] : [])));
  return { ...about, files, never_failed: named ? [] : stage.gates.map(({ name }) => name).filter((name) => !failed.has(name)) };
}
