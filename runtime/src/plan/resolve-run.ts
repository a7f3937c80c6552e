import type { Assembly, Flow, Inheritable, ReadResult } from '@gated-flow/assembly';
import { loadConfig } from './config/load.js';
import { refuseUnknownPrices } from './cost.js';
import { fixedFromHere } from './fix.js';
import type { Invocation } from './invocation.js';
import { readLimits, withHomeLimits } from './limits.js';
import { modelWorld } from './model/world.js';
import { readCommandOptions } from './options/command.js';
import { readSpotModel, type SpotModel } from './model/spot.js';
import type { HomeConfig, Warning } from './plan.js';
import type { PreparePorts, Prepared, RunLimits } from './prepare.js';
import { found, refusalsOf, refused, type Resolved } from './refusal.js';
import { readRequest, readsInput } from './request/read.js';
import { judgeRows, type JudgedRows } from './rows/judge.js';
import { reachOf, type Reach } from './rows/reach.js';
import { selectFlow } from './select.js';
import { resolveSlots, type Slots } from './slots.js';
import { gatherFacts } from './warnings/gather.js';
import { warningsOf } from './warnings/index.js';
import { refuseMissingWorkdirs, resolveWorkingTree } from './workdir.js';

/** An assembly whose structure is sound, and what is asked of it. */
export interface Sound {
  readonly invocation: Invocation;
  /** Absolute. */
  readonly home: string;
  readonly assembly: Assembly;
  readonly focus: Extract<ReadResult, { ok: true }>['focus'];
}

/** Judges what can only be judged once the structure is sound; these faults are reported together. */
export async function resolveRun(sound: Sound, ports: PreparePorts): Promise<Resolved<Prepared>> {
  const { invocation, assembly } = sound;
  const selection = selectFlow(assembly, sound.focus, invocation.route);
  const reach = reachOf(selection.flow === null ? [...assembly.flows, ...assembly.subflows] : [selection.flow]);
  const ground = await layGround(sound, reach, ports);
  // Standard input is waited for only when nothing else is wrong.
  if (!ground.ok && readsInput(invocation, ports)) return ground;

  const request = await readRequest(invocation.request, invocation.purpose, ports);
  if (!ground.ok) return refused(...ground.refusals, ...refusalsOf(request));
  const { config, command, spot, tree, slots } = ground.value;
  const limits = withHomeLimits(ground.value.limits, config);
  const judged = judgeRows(selection, {
    assembly,
    models: await modelWorld({ config, spot, invocation }, ports),
    above: [
      { from: 'command', options: command },
      { from: 'task', options: request.ok ? request.value.task : {} },
    ],
    home: config.options,
    extension: request.ok ? request.value.request.extension : '.txt',
  });
  const refusals = [...(invocation.purpose === 'run' ? judged.faults : []), ...refuseUnknownPrices(judged.rows, limits, ports.env)];
  if (!request.ok || refusals.length > 0) return refused(...refusalsOf(request), ...refusals);

  return found({
    ok: true,
    plan: {
      assembly,
      source: assembly.snapshot.root,
      flow: selection.flow,
      whole: selection.whole,
      rows: judged.rows,
      warnings: invocation.purpose === 'check' ? await warn(assembly, { flow: selection.flow, reach, judged }, ports) : [],
    },
    request: request.value.request,
    config,
    home: sound.home,
    workdir: tree,
    slots,
    limits,
  });
}

/** All that was typed or stands on the disk, but the request. */
interface Ground {
  readonly command: Inheritable;
  readonly spot: SpotModel;
  readonly limits: RunLimits;
  readonly config: HomeConfig;
  /** Absolute, real path of the working tree. */
  readonly tree: string;
  readonly slots: Slots;
}

async function layGround({ invocation, home, assembly }: Sound, reach: Reach, ports: PreparePorts): Promise<Resolved<Ground>> {
  const command = readCommandOptions(invocation.options);
  const spot = readSpotModel(invocation.options);
  const limits = readLimits(invocation);
  const config = await loadConfig(home, ports.disk);
  const tree = await resolveWorkingTree(invocation.in, ports);
  const slots = await resolveSlots(invocation, assembly, ports);
  const workdirs = tree.ok ? await refuseMissingWorkdirs(reach.stages, tree.value, ports.disk) : [];
  const sound = command.ok && spot.ok && limits.ok && config.ok && tree.ok && slots.ok && workdirs.length === 0;
  if (!sound) return refused(...refusalsOf(command, spot, limits, config, tree, slots), ...workdirs);
  return found({
    command: command.value,
    spot: spot.value,
    limits: limits.value,
    config: config.value,
    tree: tree.value,
    slots: slots.value,
  });
}

async function warn(
  assembly: Assembly,
  { flow, reach, judged }: { flow: Flow | null; reach: Reach; judged: JudgedRows },
  ports: PreparePorts,
): Promise<readonly Warning[]> {
  const facts = await gatherFacts(assembly, reach.stages, { ports, models: judged.faults });
  const skills = [...new Set([assembly, ...reach.flows, ...reach.steps].flatMap((place) => place.skills))];
  const warnings = warningsOf({ assembly, flow, stages: reach.stages, skills, facts });
  return fixedFromHere(warnings, assembly.snapshot.root, ports.cwd);
}
