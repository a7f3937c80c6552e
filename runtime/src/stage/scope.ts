/** What a stage works with: what all stages of a run share, and what is this one's own. */
import { relative, sep } from 'node:path';
import type { Assembly, Flow, JsonSchema, SchemaValidator, Stage } from '@gated-flow/assembly';
import type { Redactor } from '@gated-flow/text';
import type { RunContracts } from '../contract/run-contracts.js';
import type { Governed } from '../governance/governed.js';
import type { Environments, EnvironmentsOf } from '../permit/environment.js';
import type { HomeConfig, PlanRow, ResolvedOptions } from '../plan/plan.js';
import type { Clock } from '../ports/clock.js';
import type { Disk } from '../ports/disk.js';
import type { Ids } from '../ports/ids.js';
import type { Model } from '../ports/model.js';
import type { Programs } from '../ports/programs.js';
import type { Recorder, SessionLog } from '../record/recorder.js';
import type { Budget } from '../run/budget.js';
import type { Pristine } from '../run/pristine.js';
import type { RunStop } from '../run/deadline.js';
import type { RunSandbox, StageSandbox } from '../sandbox/stage-sandbox.js';
import type { Activity } from './activity.js';
import type { Children } from './children.js';
import type { Reuse } from './reuse/reuse.js';

export interface Ports {
  readonly disk: Disk;
  readonly programs: Programs;
  readonly clock: Clock;
  readonly ids: Ids;
}

/** Shared by all stages of a run. Paths are absolute. */
export interface RunScope {
  readonly ports: Ports;
  readonly stop: RunStop;
  readonly recorder: Recorder;
  openSession(path: string): SessionLog;
  readonly budget: Budget;
  readonly redactor: Redactor;
  /** Told what happens between two events of the record, for whoever watches. */
  watch(activity: Activity): void;
  /** The run's name. */
  readonly run: string;
  /** The run's folder. */
  readonly folder: string;
  /** The run's own copy of the assembly: all that is executed comes from here (O-8). */
  readonly copy: string;
  /** Compares that copy with what was read. */
  readonly pristine: Pristine;
  /** The run's scratch folder (S-6). */
  readonly scratch: string;
  readonly assembly: Assembly;
  readonly flow: Flow;
  /** The id of the fan-out item that the run is about. */
  readonly item?: string;
  readonly config: HomeConfig;
  readonly environmentsOf: EnvironmentsOf;
  /** `$PWD` of stages without a `workdir`. */
  readonly workdir: string;
  /** Declared slots, upper-cased → path. */
  readonly slots: Readonly<Record<string, string>>;
  readonly children: Children;
  /** Null unless what agents start is contained (I-13). */
  readonly containing: RunSandbox | null;
  /** Null unless a behavioural contract holds somewhere in the run. */
  readonly contracts: RunContracts | null;
  /** Null unless a governance contract holds over the run (V-1). */
  readonly governance: Governed | null;
  /** Null unless the run may take over the work of earlier ones (G-12). */
  readonly reuse: Reuse | null;
  /** The flows that the stage's agent may call, in name order. */
  helpersOf(stage: Stage): readonly Flow[];
  rowOf(stage: Stage): PlanRow;
  modelFor(row: PlanRow): Model;
  /** The stage's first `.fixtures/pass/*` (M-6); null when there is none, and when this is no rehearsal. */
  fixtureOf(stage: Stage): Uint8Array | null;
  /** Compiled once a run (K-5). */
  validatorOf(schema: JsonSchema): Promise<SchemaValidator>;
}

/** One pass of one stage. */
export interface StageScope extends RunScope {
  readonly stage: Stage;
  /** The flows that its agent may call. */
  readonly helpers: readonly Flow[];
  readonly row: PlanRow;
  /** The contracts that the stage is held to, outermost first: paths in the assembly (C-13). */
  readonly heldTo: readonly string[];
  readonly options: ResolvedOptions;
  readonly where: { readonly stage: string; readonly repeat?: number };
  /** `stages/<stage path>/<repeat>` in the run's folder. */
  readonly place: string;
  readonly pwd: string;
  readonly input: string;
  readonly output: string;
  readonly tmp: string;
  readonly skills: string;
  /** `$SUBFLOWS`: there only when there are helpers. */
  readonly subflows: string;
  /** The stage's own part of the scratch folder; nothing of it survives the stage. */
  readonly nest: string;
  /** A loop's question, which the agent is asked once its checks have passed (G-3). */
  readonly question: string | undefined;
  /** The names the agent selects among; it has no output then (G-4). */
  readonly select: readonly string[] | undefined;
  /** Every slot the stage has, without `$` → path. */
  readonly allSlots: Readonly<Record<string, string>>;
  readonly environments: Environments;
  /** Null unless what its agent starts is contained. */
  readonly sandbox: StageSandbox | null;
  /** Names the programs this stage starts. */
  readonly owner: string;
}

/** A file that a stage is given: `name` as it appears in `$INPUT`, and where the bytes are. */
export interface Given {
  readonly name: string;
  /** Absolute. */
  readonly file: string;
  readonly sha256: string;
}

/** A path of the record, relative to the run's folder and `/`-separated (R-4). */
export function inRun(folder: string, path: string): string {
  return relative(folder, path).split(sep).join('/');
}
