import type { Refusal, Step } from '@gated-flow/assembly';
import type { Plan, PlanRow, ResolvedOptions, Warning } from '../../plan/plan.js';
import type { Preparation } from '../../plan/prepare.js';

/** `flow check --json` (G-10, A-18). Of a refused assembly only the refusals say anything. */
export interface CheckDocument {
  readonly kind: 'flow.check';
  readonly version: 1;
  /** As typed. */
  readonly target: string;
  /** The flow that would run; null when the assembly agent chooses, and when refused. */
  readonly flow: string | null;
  readonly assembly_hash: string | null;
  readonly files: number | null;
  /** What the first agent would talk to; null when none was found or none is needed. */
  readonly model: CheckModel | null;
  readonly stages: readonly CheckRow[];
  readonly warnings: readonly Warning[];
  readonly refusals: readonly Refusal[];
}

export interface CheckModel {
  readonly provider: string;
  readonly model: string;
  readonly from: ResolvedOptions['model']['from'];
}

export interface CheckRow {
  readonly stage: string;
  readonly type: PlanRow['type'];
  readonly options: ResolvedOptions;
  readonly input?: readonly string[];
  readonly output?: string;
  readonly files?: readonly string[];
  readonly skills?: readonly string[];
  readonly workdir?: string;
  /** The assembly agent's. */
  readonly scope?: { readonly flows: readonly string[]; readonly subflows: readonly string[] };
  /** A container's own keys. */
  readonly repeat?: number;
  readonly alternatives?: readonly string[];
  readonly width?: number;
  readonly branches?: readonly string[];
  readonly items?: string;
  readonly subflow?: string;
  readonly 'max-items'?: number;
}

export function checkDocument(target: string, preparation: Preparation): CheckDocument {
  const head = { kind: 'flow.check', version: 1, target } as const;
  if (!preparation.ok) {
    return { ...head, flow: null, assembly_hash: null, files: null, model: null, stages: [], warnings: [], refusals: preparation.refusals };
  }
  const { plan } = preparation;
  return {
    ...head,
    flow: plan.flow?.name ?? null,
    assembly_hash: plan.assembly.hash,
    files: plan.assembly.files,
    model: firstModel(plan.rows),
    stages: plan.rows.map((row) => checkRow(row, plan)),
    warnings: plan.warnings,
    refusals: [],
  };
}

/** The model of the first agent in execution order. */
export function firstModel(rows: readonly PlanRow[]): CheckModel | null {
  const first = rows.find(({ type }) => type === 'STAGE' || type === 'CHOOSE' || type === 'ASSEMBLY');
  if (!first) return null;
  const { provider, model } = first.options;
  return provider.value === null || model.value === null ? null : { provider: provider.value, model: model.value, from: model.from };
}

function checkRow(row: PlanRow, plan: Plan): CheckRow {
  const { stage, type, options, skills } = row;
  return {
    stage,
    type,
    ...(row.output === null ? {} : { input: row.input, output: row.output }),
    files: row.files,
    ...(skills.length === 0 ? {} : { skills: skills.map(({ name }) => name) }),
    ...(row.step === null ? { scope: scopeOf(plan) } : ownKeys(row.step)),
    options,
  };
}

function scopeOf({ assembly }: Plan): { flows: readonly string[]; subflows: readonly string[] } {
  return { flows: assembly.flows.map(({ name }) => name), subflows: assembly.subflows.map(({ name }) => name) };
}

/** What a stage or container says of itself beside its options. */
export function ownKeys(
  step: Step,
): Pick<CheckRow, 'workdir' | 'repeat' | 'alternatives' | 'width' | 'branches' | 'items' | 'subflow' | 'max-items'> {
  switch (step.type) {
    case 'STAGE':
      return step.workdir === undefined ? {} : { workdir: step.workdir };
    case 'LOOP':
      return { repeat: step.repeat };
    case 'CHOOSE':
      return { alternatives: step.alternatives.map(({ name }) => name) };
    case 'PARALLEL':
      return { width: step.width, branches: step.branches.map(({ name }) => name) };
    case 'FANOUT':
      return { items: step.items, subflow: step.subflow, width: step.width, 'max-items': step.maxItems };
  }
}
