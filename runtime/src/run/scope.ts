import { join } from 'node:path';
import { compileSchema, type Flow, type SchemaValidator, type Stage, subflowsInScope } from '@gated-flow/assembly';
import { ASSEMBLY_COPY } from '@gated-flow/record';
import { openEnvironments } from '../permit/environment.js';
import type { PlanRow } from '../plan/plan.js';
import type { Prepared } from '../plan/prepare.js';
import { openSession } from '../record/open-session.js';
import type { Fingerprints } from '../ports/fingerprint.js';
import type { RunRecorder } from '../record/open-record.js';
import type { RunSandbox } from '../sandbox/stage-sandbox.js';
import type { Children } from '../stage/children.js';
import type { Reuse } from '../stage/reuse/reuse.js';
import type { RunScope } from '../stage/scope.js';
import type { Born } from './begin.js';
import { callable } from './callable.js';
import { contractWorld, type ContractWorld, openContracts } from './contracts.js';
import { governanceWorld, type GovernanceWorld, openGovernance } from './governance.js';
import type { Machine } from './machine.js';
import type { RunOptions } from './options.js';
import { pristine } from './pristine.js';
import { placeIn } from './place.js';
import { runSandbox } from './sandbox.js';
import { openReuse } from './reuse/open-reuse.js';

/** What the outermost run and all of its children share. */
export interface RunWorld {
  readonly prepared: Prepared;
  readonly born: Born;
  readonly options: RunOptions;
  readonly machine: Machine;
  readonly shared: Pick<RunScope, 'pristine' | 'validatorOf' | 'environmentsOf'>;
  /** Null unless what agents start is contained. */
  readonly containing: RunSandbox | null;
  /** Null unless work of earlier runs may be taken over (G-12). */
  readonly fingerprints: Fingerprints | null;
  /** Null unless a contract holds somewhere. */
  readonly contracts: ContractWorld | null;
  /** Null unless a governance contract holds over the run. */
  readonly governance: GovernanceWorld | null;
}

/** One run of the tree of runs: the outermost one, or a child. */
export interface RunPart {
  readonly recorder: RunRecorder;
  /** The run's folder: absolute. */
  readonly folder: string;
  readonly flow: Flow;
  readonly rows: readonly PlanRow[];
  /** The flows that called, outermost first, without this run's own. */
  readonly callers: readonly Flow[];
  /** Where it stands in the tree of runs: empty for the outermost run, `06-map/j01/` for an item's. */
  readonly within: string;
  /** The id of the fan-out item that the run, or one that called it, is about. */
  readonly item?: string;
}

export function runWorld(parts: Omit<RunWorld, 'shared' | 'containing' | 'fingerprints' | 'contracts' | 'governance'>): RunWorld {
  const { prepared, machine, born } = parts;
  const shared = judgingParts({ plan: prepared.plan, config: prepared.config, copy: copyOf(parts), run: born.claimed.name, machine });
  // A run writes into its home all the time: what stands in it is no part of the work, wherever it stands.
  const fingerprints = parts.options.reuse ? parts.machine.openFingerprints([parts.prepared.home]) : null;
  return {
    ...parts,
    shared,
    containing: runSandbox(parts),
    fingerprints,
    contracts: contractWorld(parts, copyOf(parts)),
    governance: governanceWorld(parts),
  };
}

/** What judging takes of a plan, with a run or without one. `copy` is where the assembly is executed from: absolute. */
export function judgingParts({
  plan,
  config,
  copy,
  run,
  machine,
}: Pick<Prepared, 'plan' | 'config'> & { readonly copy: string; readonly run: string; readonly machine: Machine }): RunWorld['shared'] {
  const validators = new Map<string, Promise<SchemaValidator>>();
  return {
    pristine: pristine(plan.assembly.snapshot, copy, machine.disk),
    environmentsOf: openEnvironments({ env: machine.env, config, run }),
    validatorOf(schema) {
      const known = validators.get(schema.path) ?? compileSchema(schema);
      validators.set(schema.path, known);
      return known;
    },
  };
}

/** What all stages of one run share. */
export function runScope(world: RunWorld, part: RunPart, children: Children): RunScope {
  const { prepared, born, options, machine, shared } = world;
  const { plan } = prepared;
  const { disk, clock, ids } = machine;
  const { flow, callers, item } = part;
  const rows = new Map(part.rows.map((row) => [row.stage, row]));
  return {
    ports: { disk, programs: born.programs, clock, ids },
    stop: born.stop,
    recorder: part.recorder,
    openSession: (path) => openSession(machine.openAppend(path), clock),
    budget: born.budget,
    redactor: born.redactor,
    watch: (activity) => options.onActivity?.(activity, placeIn(born.claimed.folder, part.folder)),
    run: born.claimed.name,
    folder: part.folder,
    copy: copyOf(world),
    ...shared,
    scratch: born.scratch,
    assembly: plan.assembly,
    flow,
    ...(item === undefined ? {} : { item }),
    config: prepared.config,
    workdir: born.workdir,
    slots: prepared.slots,
    children,
    containing: world.containing,
    contracts: openContracts(world, part),
    governance: openGovernance(world, part),
    reuse: reuseOf(world, part),
    helpersOf: (stage) => callable(subflowsInScope(plan.assembly, flow, stage), [...callers, flow]),
    rowOf: (stage) => rowOf(rows, stage),
    modelFor: options.openModels(),
    fixtureOf: (stage) => (options.source === 'rehearsal' ? machine.fixture(plan.source, stage.entry) : null),
  };
}

function reuseOf({ prepared, born, options, machine, fingerprints }: RunWorld, part: RunPart): Reuse | null {
  if (fingerprints === null) return null;
  return openReuse({
    home: prepared.home,
    run: born.claimed.name,
    child: placeIn(born.claimed.folder, part.folder),
    runtime: machine.version,
    source: options.source,
    ...(options.script === undefined ? {} : { script: options.script }),
    fingerprints,
    stop: born.stop.signal,
    disk: machine.disk,
  });
}

function copyOf({ born }: Pick<RunWorld, 'born'>): string {
  return join(born.claimed.folder, ASSEMBLY_COPY);
}

function rowOf(rows: ReadonlyMap<string, PlanRow>, stage: Stage): PlanRow {
  const row = rows.get(stage.path);
  if (!row) throw new Error(`the plan has no row for ${stage.path}`);
  return row;
}
