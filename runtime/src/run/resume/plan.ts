/** What a resumed run carries and what it runs: one row for each step of the root sequence (G-11). Pure. */
import { join } from 'node:path';
import { stagesOf, type Step } from '@gated-flow/assembly';
import type { Sourced, StageView } from '@gated-flow/record';
import type { OptionWords } from '../../plan/invocation.js';
import type { ResolvedOptions } from '../../plan/plan.js';
import type { Prepared } from '../../plan/prepare.js';
import type { Donor } from '../donor/donor.js';
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

/** Compares the donor with what is there now, step by step; the first that cannot be carried runs, and all behind it. */
export function planResume(donor: Donor, prepared: Prepared, typed: OptionWords): Planned {
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
    const why = whyNot({ donor, prepared, typed, step, then, told });
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

/** The donor's own root sequence: a single stage when one was named alone (A-2). */
function stepsOf({ flow, view }: Donor): readonly Step[] {
  if (flow === null) return [];
  const alone = view.asked?.stage;
  return alone === undefined ? flow.steps : stagesOf(flow).filter(({ path }) => path === alone);
}

interface Question {
  readonly donor: Donor;
  readonly prepared: Prepared;
  readonly typed: OptionWords;
  readonly step: Step;
  readonly then: Step | undefined;
  readonly told: Settled;
}

/** Why a step cannot be carried; null when it can. */
function whyNot({ donor, prepared, typed, step, then, told }: Question): string | null {
  const { assembly, whole: flow } = prepared.plan;
  if (then === undefined || donor.flow === null || flow === null) return 'it had not begun';
  if (then.path !== step.path || then.type !== step.type) return `${then.path} stood in its place`;
  if (!told.settled) return told.why;
  if (flow.tmp === 'flow') return 'the stages of this flow share one $TMP, and that of the earlier run is gone';
  const part = partDifference({ assembly: donor.assembly, flow: donor.flow, step: then }, { assembly, flow, step });
  return part ?? slotDifference(donor, prepared) ?? optionDifference(stagesWithin(donor, then), { prepared, typed, step });
}

/** Every stage of a step that the donor ran: a container is carried as a whole, so that each of them counts. */
function stagesWithin({ view }: Donor, { path }: Step): readonly StageView[] {
  return view.stages.filter(({ stage }) => stage === path || stage.startsWith(`${path}/`));
}

function slotDifference({ view }: Donor, { slots }: Prepared): string | null {
  const before = view.asked?.slots ?? {};
  const changed = Object.keys(slots).find((name) => before[name] !== slots[name]);
  return changed === undefined ? null : `the slot ${changed} is another path now`;
}

const MODEL_KEYS: readonly string[] = ['intelligence', 'provider', 'model', 'reasoning'];

/** What is typed to resume is for what runs; every other option must be what it was. */
function optionDifference(
  stages: readonly StageView[],
  { prepared, typed, step }: Pick<Question, 'prepared' | 'typed' | 'step'>,
): string | null {
  const free = freeKeys(typed);
  for (const { stage, options: before } of stages) {
    const row = prepared.plan.rows.find((one) => one.stage === stage);
    if (row === undefined) continue;
    const now = sourced(row.options);
    const key = [...new Set([...Object.keys(before), ...Object.keys(now)])].find(
      (one) => !free.has(one) && JSON.stringify(before[one]?.value) !== JSON.stringify(now[one]?.value),
    );
    if (key !== undefined)
      return `${stage === step.path ? 'its' : `${stage}'s`} ${key} was ${shown(before[key])} and is ${shown(now[key])}`;
  }
  return null;
}

function freeKeys({ timeout, retries, localContext, ...model }: OptionWords): ReadonlySet<string> {
  return new Set([
    ...(timeout === undefined ? [] : ['timeout']),
    ...(retries === undefined ? [] : ['retries']),
    ...(localContext === undefined ? [] : ['local-context']),
    ...(Object.values(model).every((word) => word === undefined) ? [] : MODEL_KEYS),
  ]);
}

function sourced(options: ResolvedOptions): Readonly<Record<string, Sourced>> {
  return { ...options };
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
