import type { Assembly, Flow, Inheritable, Read, Refusal } from '@gated-flow/assembly';
import { askedOf, type Said } from './asked.js';
import { loadContracts, type LoadedContract } from '../contract/load.js';
import { contractsWithin } from '../contract/places.js';
import { contractWarnings } from '../contract/warnings.js';
import { governanceWarnings, loadRunGovernance, type RunGovernance } from '../governance/load.js';
import { refuseUnknownPrices } from './cost.js';
import { fixedFromHere } from './fix.js';
import type { Invocation } from './invocation.js';
import { readLimits, withHomeLimits } from './limits.js';
import { judgesOf } from './model/judges.js';
import { modelWorld } from './model/world.js';
import { readCommandOptions } from './options/command.js';
import { readSpotModel, type SpotModel } from './model/spot.js';
import { allRows, type HomeConfig, type Intelligence, type Warning } from './plan.js';
import type { PreparePorts, Prepared, RunLimits } from './prepare.js';
import { found, refusalsOf, refused, type Resolved } from './refusal.js';
import { readRequest, readsInput, type ReadRequest } from './request/read.js';
import { judgeRows, type JudgedRows } from './rows/judge.js';
import { reachOf, type Reach } from './rows/reach.js';
import { selectFlow, type Selection } from './select.js';
import { resolveSlots, type Slots } from './slots.js';
import { gatherFacts } from './warnings/gather.js';
import { warningsOf } from './warnings/index.js';
import { refuseMissingWorkdirs, resolveWorkingTree } from './workdir.js';

/** An assembly whose structure is sound, and what is asked of it. */
export interface Sound extends Read {
  readonly invocation: Invocation;
  /** Absolute. */
  readonly home: string;
  /** What the reading found besides the structure. The caller reports it together with what is found here. */
  readonly faults: readonly Refusal[];
}

/** Judges what can only be judged once the structure is sound, and reports it together. Nothing is found when there are `faults`. */
export async function resolveRun(sound: Sound, ports: PreparePorts): Promise<Resolved<Prepared>> {
  const { invocation, assembly, faults } = sound;
  const selection = selectFlow(assembly, sound.focus, invocation.route);
  const reach = reachOf(rootsOf(selection, assembly));
  const words = await readWords(sound, ports);
  const ground = await findGround(sound, reach, ports);
  const contracts = await findContracts(sound, reach);
  const governance = await loadRunGovernance({ assembly, faults, typed: invocation.governance }, ports);
  // Standard input is waited for only when nothing else is wrong. It says nothing about the options, so they can be judged before.
  const early = readsInput(invocation, ports) ? null : await readRequest(invocation.request, invocation.purpose, ports);
  const asked = early?.ok ? early.value : null;
  const judged = words.ok ? await judge(selection, { sound, words: words.value, asked, reach }, ports) : words;
  if (!words.ok || !ground.ok || !contracts.ok || !governance.ok || !judged.ok || early?.ok === false || faults.length > 0) {
    return refused(...refusalsOf(governance, contracts, words, ground, ...(early ? [early] : []), ...(words.ok ? [judged] : [])));
  }
  const request = early ?? (await readRequest(invocation.request, invocation.purpose, ports));
  if (!request.ok) return request;
  const judges =
    contracts.value.length === 0 || invocation.models !== 'provider' ? [] : judgesOf(words.value.config, allRows(judged.value));

  return found({
    ok: true,
    plan: {
      assembly,
      source: assembly.snapshot.root,
      flow: selection.flow,
      whole: selection.whole,
      rows: judged.value.rows,
      callable: judged.value.callable,
      contracts: new Map(contracts.value.map(({ contract }) => [contract.path, contract])),
      governance: governance.value,
      judges,
      warnings:
        invocation.purpose === 'check'
          ? await warn(
              sound,
              { flow: selection.flow, reach, judged: judged.value, contracts: contracts.value, governance: governance.value, judges },
              ports,
            )
          : [],
    },
    request: request.value.request,
    config: words.value.config,
    home: sound.home,
    workdir: ground.value.tree,
    slots: ground.value.slots,
    limits: words.value.limits,
    asked: askedOf({
      stage: selection.stage,
      options: invocation.options,
      task: request.value.task,
      slots: ground.value.slots,
      ...addedGovernance(governance.value),
    }),
  });
}

function addedGovernance(governance: RunGovernance | null): Pick<Said, 'governance' | 'governanceSha256'> {
  const path = governance?.added?.path;
  return { governance: path, governanceSha256: governance?.contract.files.find((file) => file.path === path)?.sha256 };
}

/** What the command and the home's config say. */
interface Words {
  readonly command: Inheritable;
  readonly spot: SpotModel;
  readonly limits: RunLimits;
  readonly config: HomeConfig;
}

async function readWords({ invocation, home }: Sound, ports: PreparePorts): Promise<Resolved<Words>> {
  const command = readCommandOptions(invocation.options);
  const spot = readSpotModel(invocation.options);
  const limits = readLimits(invocation);
  const config = await ports.readConfig(home);
  if (!command.ok || !spot.ok || !limits.ok || !config.ok) return refused(...refusalsOf(command, spot, limits, config));
  return found({
    command: command.value,
    spot: spot.value,
    limits: withHomeLimits(limits.value, config.value),
    config: config.value,
  });
}

/** What has to stand on the disk. */
interface Ground {
  /** Absolute, real path of the working tree. */
  readonly tree: string;
  readonly slots: Slots;
}

async function findGround({ invocation, assembly, faults }: Sound, reach: Reach, ports: PreparePorts): Promise<Resolved<Ground>> {
  const tree = await resolveWorkingTree(invocation.in, ports);
  // A slot that has to be renamed is not asked for.
  const slots = faults.some(({ code }) => code === 'slot-reserved') ? found({}) : await resolveSlots(invocation, assembly, ports);
  const workdirs = tree.ok ? await refuseMissingWorkdirs(reach.stages, tree.value, ports.disk) : [];
  if (!tree.ok || !slots.ok || workdirs.length > 0) return refused(...refusalsOf(tree, slots), ...workdirs);
  return found({ tree: tree.value, slots: slots.value });
}

/** A contract that cannot even be read as a map is refused with the structure, and once is enough. */
function findContracts({ assembly, faults }: Sound, reach: Reach): Promise<Resolved<readonly LoadedContract[]>> {
  const known = new Set(faults.filter(({ code }) => code === 'contract-invalid').map(({ path }) => path));
  const paths = contractsWithin(assembly, reach).filter((path) => !known.has(path));
  return loadContracts(assembly.snapshot, paths);
}

/** The rows with their options; refused when a run could not use the models or keep the limits. `asked` is null for what arrives on standard input. */
async function judge(
  selection: Selection,
  { sound, words, asked, reach }: { sound: Sound; words: Words; asked: ReadRequest | null; reach: Reach },
  ports: PreparePorts,
): Promise<Resolved<JudgedRows>> {
  const { invocation, assembly } = sound;
  const judged = judgeRows(selection, {
    assembly,
    callable: callableFlows(selection, assembly, reach),
    models: await modelWorld({ config: words.config, spot: words.spot, invocation }, ports),
    above: [
      { from: 'command', options: words.command },
      { from: 'task', options: asked?.task ?? {} },
    ],
    home: words.config.options,
    extension: asked?.request.extension ?? '.txt',
  });
  const refusals = [
    ...(invocation.purpose === 'run' ? judged.faults : []),
    ...refuseUnknownPrices(allRows(judged), words.limits, ports.env),
  ];
  return refusals.length === 0 ? found(judged) : refused(...refusals);
}

/** The subflows of the root are in the scope of whatever runs (G-7). */
function rootsOf({ flow }: Selection, { flows, subflows }: Assembly): readonly Flow[] {
  return flow === null ? [...flows, ...subflows] : [flow, ...subflows.filter(({ path }) => path !== flow.path)];
}

/** Whatever may be called on the way, the selected flow among them only when somebody may call it. */
function callableFlows({ whole }: Selection, { subflows }: Assembly, { flows }: Reach): readonly Flow[] {
  const others = flows.filter(({ path }) => path !== whole?.path);
  const called = whole !== null && (whole.type === 'DESCEND' || subflows.some(({ path }) => path === whole.path));
  return called ? [...others, whole] : others;
}

interface Judgeable {
  readonly flow: Flow | null;
  readonly reach: Reach;
  readonly judged: JudgedRows;
  readonly contracts: readonly LoadedContract[];
  readonly governance: RunGovernance | null;
  readonly judges: readonly Intelligence[];
}

async function warn(
  { assembly, invocation }: Sound,
  { flow, reach, judged, contracts, governance, judges }: Judgeable,
  ports: PreparePorts,
): Promise<readonly Warning[]> {
  const facts = await gatherFacts(assembly, reach.stages, { ports, models: judged.faults });
  const skills = [...new Set([assembly, ...reach.flows, ...reach.steps].flatMap((place) => place.skills))];
  const warnings = warningsOf({ assembly, flow, stages: reach.stages, skills, facts });
  const judging = invocation.models === 'provider' ? judges.length > 0 : null;
  const ofContracts = await contractWarnings(contracts, { unevaluated: assembly.unevaluated, judged: judging });
  return fixedFromHere([...governanceWarnings(governance), ...ofContracts, ...warnings], assembly.snapshot.root, ports.cwd);
}
