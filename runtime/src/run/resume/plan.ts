/** What a resumed run carries and what it runs: one row for each step of the root sequence (G-11). Pure. */
import { basename, join } from 'node:path';
import { stagesOf, type Step } from '@gated-flow/assembly';
import type { Sourced, StageView } from '@gated-flow/record';
import type { OptionWords } from '../../plan/invocation.js';
import type { Plan, PlanRow } from '../../plan/plan.js';
import type { Prepared } from '../../plan/prepare.js';
import { recordedOptions } from '../../plan/recorded-options.js';
import type { Donor } from '../donor/donor.js';
import type { CalledStage } from './called-stages.js';
import type { CarriedEntry } from './carry.js';
import { partDifference } from './part.js';
import { type HandedOn, type Settled, tellSettled } from './settled.js';

export interface ResumeRow {
  readonly step: string;
  readonly type: Step['type'];
  readonly carried: boolean;
  /** Why it runs: half a sentence. Null for what is carried. */
  readonly why: string | null;
  /** The names of what is handed on without running. */
  readonly outputs: readonly string[];
}

export interface ResumePlan {
  /** The run that is continued. */
  readonly from: string;
  readonly rows: readonly ResumeRow[];
  /** Absolute. */
  readonly workdir: string;
  readonly carried: readonly CarriedEntry[];
}

export type Planned =
  | { readonly ok: true; readonly plan: ResumePlan }
  /** The record contradicts itself about this step. */
  | { readonly ok: false; readonly step: string; readonly why: string };

/** What was typed to resume: it is for what runs. */
export interface Typed {
  readonly options: OptionWords;
  readonly governance?: string | undefined;
}

/** Compares the donor with what is there now, step by step; the first that cannot be carried runs, and all behind it. */
export function planResume(donor: Donor, called: readonly CalledStage[], prepared: Prepared, typed: Typed): Planned {
  const { flow } = prepared.plan;
  if (flow === null) return { ok: true, plan: { from: donor.name, rows: [ASSEMBLY_AGENT], workdir: prepared.workdir, carried: [] } };
  const settled = tellSettled(donor.view);
  const rows: ResumeRow[] = [];
  const carried: CarriedEntry[] = [];
  let first: string | null = null;
  for (const [index, step] of flow.steps.entries()) {
    const then = stepsOf(donor)[index];
    const told: Settled = then === undefined ? { settled: false, why: 'it had not begun' } : settled.of(then);
    if (!told.settled && told.lies) return { ok: false, step: step.path, why: told.why };
    const why = whyNot({ donor, called, prepared, typed, step, then, told });
    if (first === null && why === null && told.settled) {
      carried.push({ entry: step.path, from: donor.name, outputs: told.handedOn.map((one) => carriedOutput(donor, one)) });
      rows.push({ step: step.path, type: step.type, carried: true, why: null, outputs: told.handedOn.map(({ name }) => name) });
    } else {
      rows.push({
        step: step.path,
        type: step.type,
        carried: false,
        why: why ?? `it stands behind ${first ?? 'one that runs'}`,
        outputs: [],
      });
      first ??= step.path;
    }
  }
  return { ok: true, plan: { from: donor.name, rows, workdir: prepared.workdir, carried } };
}

const ASSEMBLY_AGENT: ResumeRow = { step: 'assembly', type: 'STAGE', carried: false, why: 'its agent works as a whole', outputs: [] };

/** The donor's own root sequence: a single stage when one was named alone. */
function stepsOf({ flow, view }: Donor): readonly Step[] {
  if (flow === null) return [];
  const alone = view.asked?.stage;
  return alone === undefined ? flow.steps : stagesOf(flow).filter(({ path }) => path === alone);
}

interface Question {
  readonly donor: Donor;
  readonly called: readonly CalledStage[];
  readonly prepared: Prepared;
  readonly typed: Typed;
  readonly step: Step;
  readonly then: Step | undefined;
  readonly told: Settled;
}

/** Why a step cannot be carried; null when it can. */
function whyNot({ donor, called, prepared, typed, step, then, told }: Question): string | null {
  const { assembly, whole: flow } = prepared.plan;
  if (then === undefined || donor.flow === null || flow === null) return 'it had not begun';
  if (then.path !== step.path || then.type !== step.type) return `${then.path} stood in its place`;
  if (!told.settled) return told.why;
  if (flow.tmp === 'flow') return 'the stages of this flow share one $TMP, and that of the earlier run is gone';
  const part = partDifference({ assembly: donor.assembly, flow: donor.flow, step: then }, { assembly, flow, step });
  const around = part ?? slotDifference(donor, prepared) ?? governanceDifference(donor, prepared, typed);
  return around ?? optionDifference(ranWithin(then, donor, called), { prepared, typed, step });
}

/** A stage that the donor ran, itself or, with the name of the flow, in a child run. */
type Ran = Pick<StageView, 'stage' | 'options'> & Partial<Pick<CalledStage, 'flow'>>;

/** Every stage of a step that the donor ran, and every one that those called: a step is carried as a whole, so that each of them counts. */
function ranWithin({ path }: Step, { view }: Donor, called: readonly CalledStage[]): readonly Ran[] {
  const isWithin = (stage: string): boolean => stage === path || stage.startsWith(`${path}/`);
  return [...view.stages.filter(({ stage }) => isWithin(stage)), ...called.filter(({ caller }) => isWithin(caller))];
}

function slotDifference({ view }: Donor, { slots }: Prepared): string | null {
  const before = view.asked?.slots ?? {};
  const changed = Object.keys(slots).find((name) => before[name] !== slots[name]);
  return changed === undefined ? null : `the slot ${changed} is another path now`;
}

/** The contract that is added again without being typed must be the one that was; a run that does not tell which it was cannot be told the same. */
function governanceDifference({ view }: Donor, { asked }: Prepared, typed: Typed): string | null {
  const before = view.asked;
  if (typed.governance !== undefined || before?.governance === undefined) return null;
  const same = before.governance_sha256 !== undefined && before.governance_sha256 === asked.governance_sha256;
  return same ? null : `the governance contract ${before.governance} was changed`;
}

const MODEL_KEYS: readonly string[] = ['intelligence', 'provider', 'model', 'reasoning', 'base-url'];

/** What is typed to resume is for what runs; every other option must be what it was. */
function optionDifference(ran: readonly Ran[], { prepared, typed, step }: Pick<Question, 'prepared' | 'typed' | 'step'>): string | null {
  const free = freeKeys(typed.options);
  for (const one of ran) {
    const changes = rowsOf(one, prepared.plan).map((row) => changeOf(one.options, recordedOptions(row), free));
    const [change = null] = changes;
    if (change === null || changes.includes(null)) continue;
    const whose = one.flow === undefined ? (one.stage === step.path ? 'its' : `${one.stage}'s`) : `${one.stage}'s, of ${one.flow},`;
    return `${whose} ${change}`;
  }
  return null;
}

/** The rows that a stage may run by now: of a child run's, one for each flow of that name that may be called. */
function rowsOf({ stage, flow }: Ran, { rows, callable }: Plan): readonly PlanRow[] {
  const among = flow === undefined ? rows : [...callable].flatMap(([path, called]) => (basename(path) === flow ? called : []));
  return among.filter((row) => row.stage === stage);
}

function changeOf(before: Ran['options'], now: Ran['options'], free: ReadonlySet<string>): string | null {
  const key = [...new Set([...Object.keys(before), ...Object.keys(now)])].find(
    (one) => !free.has(one) && JSON.stringify(before[one]?.value) !== JSON.stringify(now[one]?.value),
  );
  return key === undefined ? null : `${key} was ${shown(before[key])} and is ${shown(now[key])}`;
}

function freeKeys({ timeout, retries, localContext, ...model }: OptionWords): ReadonlySet<string> {
  return new Set([
    ...(timeout === undefined ? [] : ['timeout']),
    ...(retries === undefined ? [] : ['retries']),
    ...(localContext === undefined ? [] : ['local-context']),
    ...(Object.values(model).every((word) => word === undefined) ? [] : MODEL_KEYS),
  ]);
}

function shown(sourcedValue: Sourced | undefined): string {
  if (sourcedValue === undefined || sourcedValue.value === null) return 'unset';
  const { value, from } = sourcedValue;
  return `${typeof value === 'string' ? value : JSON.stringify(value)} (${from})`;
}

function carriedOutput({ folder }: Donor, { stage, repeat, name, output, place, options }: HandedOn): CarriedEntry['outputs'][number] {
  const where = { stage, ...(repeat === undefined ? {} : { repeat }) };
  return { ...where, name, source: join(folder, output.path), file: { ...output, path: place }, options };
}
