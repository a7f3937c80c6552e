import { type Flow, type Refusal, type Step, subflowsInScope } from '@gated-flow/assembly';
import { compareBytes } from '@gated-flow/text';
import { contractsOver } from '../../contract/places.js';
import type { Plan, PlanRow, ResolvedOptions, Warning } from '../../plan/plan.js';
import type { Preparation } from '../../plan/prepare.js';
import { reachOf } from '../../plan/rows/reach.js';
import { callable } from '../../run/callable.js';

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
  /** Every flow that may be called on the way, in name order of their folders (G-6, G-7). */
  readonly called: readonly CalledFlow[];
  /** The governance contract over all of it; null where there is none, and when refused (V-1). */
  readonly governance: CheckGovernance | null;
  readonly warnings: readonly Warning[];
  readonly refusals: readonly Refusal[];
}

export interface CheckGovernance {
  readonly contract: string;
  /** Paths in the assembly; the file of `--governance` by its absolute path. */
  readonly files: readonly { readonly path: string; readonly sha256: string }[];
  /** The moments of an agent's work that it speaks of. */
  readonly stages: readonly string[];
  /** How many rules decide over calls, those of packs included. */
  readonly rules: number;
}

export interface CheckModel {
  readonly provider: string;
  readonly model: string;
  readonly from: ResolvedOptions['model']['from'];
}

export interface CalledFlow {
  readonly flow: string;
  readonly type: Flow['type'];
  /** Its folder in the assembly. */
  readonly path: string;
  readonly description: string;
  /** How often it may stand in one chain of calls: of a DESCEND (G-8). */
  readonly 'max-depth'?: number;
  readonly stages: readonly CheckRow[];
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
  /** The names of the flows that the agent may call, while the chain of calls is short enough. */
  readonly subflows?: readonly string[];
  /** The behavioural contracts that a stage is held to, outermost first: paths in the assembly (C-13). */
  readonly contracts?: readonly string[];
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
    return {
      ...head,
      flow: null,
      assembly_hash: null,
      files: null,
      model: null,
      stages: [],
      called: [],
      governance: null,
      warnings: [],
      refusals: preparation.refusals,
    };
  }
  const { plan } = preparation;
  return {
    ...head,
    flow: plan.flow?.name ?? null,
    assembly_hash: plan.assembly.hash,
    files: plan.assembly.files,
    model: firstModel(plan.rows),
    stages: plan.rows.map((row) => checkRow(row, plan, plan.whole)),
    called: calledFlows(plan).map((called) => calledFlow(called, plan)),
    governance: governedBy(plan),
    warnings: plan.warnings,
    refusals: [],
  };
}

/** What of the governance contract a check says; `flow governance check` says the rest (V-13). */
export function governedBy({ governance }: Plan): CheckGovernance | null {
  if (governance === null) return null;
  const { name, files, stages, preTool, fileTool } = governance.contract;
  return { contract: name, files, stages: [...stages], rules: preTool.length + fileTool.length };
}

/** The model of the first agent in execution order. */
export function firstModel(rows: readonly PlanRow[]): CheckModel | null {
  const first = rows.find(({ type }) => type === 'STAGE' || type === 'CHOOSE' || type === 'ASSEMBLY');
  if (!first) return null;
  const { provider, model } = first.options;
  return provider.value === null || model.value === null ? null : { provider: provider.value, model: model.value, from: model.from };
}

/** The flows that may be called, each with its rows. */
export function calledFlows({ assembly, whole, callable }: Plan): readonly { readonly flow: Flow; readonly rows: readonly PlanRow[] }[] {
  const roots = [...(whole === null ? [] : [whole]), ...assembly.flows, ...assembly.subflows];
  const flows = new Map(reachOf(roots).flows.map((flow) => [flow.path, flow]));
  return [...callable]
    .flatMap(([path, rows]) => {
      const flow = flows.get(path);
      return flow === undefined ? [] : [{ flow, rows }];
    })
    .sort((a, b) => compareBytes(a.flow.path, b.flow.path));
}

function calledFlow({ flow, rows }: { readonly flow: Flow; readonly rows: readonly PlanRow[] }, plan: Plan): CalledFlow {
  return {
    ...{ flow: flow.name, type: flow.type, path: flow.path, description: flow.description },
    ...(flow.maxDepth === undefined ? {} : { 'max-depth': flow.maxDepth }),
    stages: rows.map((row) => checkRow(row, plan, flow)),
  };
}

/** What the agent of a row may call, when its flow is the outermost; a choice has no subflows of its own. */
export function callableBy({ step }: PlanRow, { assembly }: Plan, flow: Flow | null): readonly string[] {
  if (flow === null || (step?.type !== 'STAGE' && step?.type !== 'CHOOSE')) return [];
  const inScope = subflowsInScope(assembly, flow, { subflows: step.type === 'STAGE' ? step.subflows : [] });
  return callable(inScope, [flow]).map(({ name }) => name);
}

/** The contracts that the agent of a row is held to; other containers have no agent. */
export function heldTo({ type, step }: PlanRow, { assembly }: Plan, flow: Flow | null): readonly string[] {
  if (type !== 'STAGE' && type !== 'CHOOSE' && type !== 'ASSEMBLY') return [];
  return contractsOver(assembly, flow, step?.type === 'STAGE' ? step : {});
}

function checkRow(row: PlanRow, plan: Plan, flow: Flow | null): CheckRow {
  const { stage, type, options, skills } = row;
  const subflows = callableBy(row, plan, flow);
  const contracts = heldTo(row, plan, flow);
  return {
    stage,
    type,
    ...(row.output === null ? {} : { input: row.input, output: row.output }),
    files: row.files,
    ...(skills.length === 0 ? {} : { skills: skills.map(({ name }) => name) }),
    ...(subflows.length === 0 ? {} : { subflows }),
    ...(contracts.length === 0 ? {} : { contracts }),
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
