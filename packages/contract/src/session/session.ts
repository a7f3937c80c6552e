import type { Limit } from '../contract.js';
import type { Check } from '../evaluate/check.js';
import type { FindingOptions, Findings, Violation } from '../evaluate/findings.js';
import { findingsOf, violationOf } from '../evaluate/findings.js';
import type { PreparedContract } from '../evaluate/prepare.js';
import type { RunFacts } from '../facts.js';
import { contentOf } from '../facts.js';
import type { ContractReport, RunIdentity } from '../report/report.js';
import { isBlocking, reportOf } from '../report/report.js';
import { beginRun } from './running-facts.js';
import type { RunningOptions, Step } from './running-facts.js';

export interface SessionOptions extends FindingOptions, RunningOptions {
  readonly identity: RunIdentity;
  /** Milliseconds the agent has spent so far, all its rounds together. */
  elapsed(): number;
}

/** `violations` are those found by this step for the first time; a warning is among them and forbids nothing. */
export interface StepDecision {
  readonly allowed: boolean;
  readonly violations: readonly Violation[];
}

export interface InputDecision {
  /** False: the agent must not run (C-3). */
  readonly allowed: boolean;
  readonly report: ContractReport;
}

/** What is left of the limits that withhold: null where there is none. */
export interface Left {
  readonly outputTokens: number | null;
  readonly costUsd: number | null;
  readonly durationMs: number | null;
  readonly toolCalls: number | null;
  readonly steps: number | null;
}

/** Totals that the host knows better than the steps told. */
export type Totals = Partial<
  Pick<RunFacts, 'durationMs' | 'costUsd' | 'outputTokens' | 'inputTokens' | 'steps' | 'toolCalls' | 'commands' | 'changedFiles'>
>;

/** One run of an agent under one contract (C-12). */
export interface ContractSession {
  /** Judges `requires`. Call it once, first. */
  input(input: string | Uint8Array): Promise<InputDecision>;
  /**
   * Judges a step before it happens: what is not allowed must not happen, and counts for nothing (C-7). An `answer` has happened
   * already; when it is not allowed, the run is over.
   */
  step(step: Step): StepDecision;
  left(): Left;
  /** Judges a candidate, or a run that ended without one (null). Can be called again for the next round. */
  output(output: string | Uint8Array | null, totals?: Totals): Promise<ContractReport>;
}

export function openSession({ contract, checks }: PreparedContract, options: SessionOptions): ContractSession {
  const run = beginRun(options);
  const before = checks.filter(({ clause }) => clause.type === 'requires');
  const after = checks.filter(({ clause }) => clause.type !== 'requires');
  let preconditions: Findings = { violations: [], unevaluated: [] };
  /** Each is reported once; its name stays broken for the rest of the run. */
  const brokenLive = new Map<string, Violation>();

  return {
    async input(input) {
      run.setInput(contentOf(input));
      const facts = run.facts(options.elapsed());
      preconditions = await findingsOf(before, facts, options);
      const report = reportOf(contract, options.identity, facts, preconditions);
      return { allowed: !isBlocking(report), report };
    },
    step(step) {
      const found = crossed(step);
      const fresh = found.filter(({ clause_name }) => !brokenLive.has(clause_name));
      for (const violation of fresh) brokenLive.set(violation.clause_name, violation);
      const allowed = !found.some(({ action_taken }) => action_taken !== 'warn');
      if (allowed || step.kind === 'answer') run.take(step);
      return { allowed, violations: fresh };
    },
    left: () => leftOf(checks, run.facts(options.elapsed())),
    async output(output, totals = {}) {
      const facts: RunFacts = { ...run.facts(options.elapsed()), ...totals, output: output === null ? null : contentOf(output) };
      const found = await findingsOf(after, facts, options);
      return reportOf(contract, options.identity, facts, inOrder([preconditions, withLive(found)]));
    },
  };

  function crossed(step: Step): Violation[] {
    const facts = run.with(step, options.elapsed());
    const spent = step.kind === 'turn' ? checks.flatMap((check) => spentBy(check, run.facts(options.elapsed()))) : [];
    const broken = checks.flatMap((check) => {
      const verdict =
        step.kind === 'answer' && step.text !== undefined && check.stepText
          ? check.stepText({ ...facts, output: { text: step.text } })
          : check.live?.(facts);
      return verdict?.is === 'violated' ? [violationOf(check, verdict)] : [];
    });
    return [...broken, ...spent.filter(({ clause_name }) => !broken.some((other) => other.clause_name === clause_name))];
  }

  /** What was broken on the way stays broken, whatever the end looks like. */
  function withLive({ violations, unevaluated }: Findings): Findings {
    const missed = [...brokenLive.values()].filter(({ clause_name }) => !violations.some((each) => each.clause_name === clause_name));
    return { violations: [...violations, ...missed], unevaluated: unevaluated.filter(({ clause_name }) => !brokenLive.has(clause_name)) };
  }

  function inOrder(parts: readonly Findings[]): Findings {
    const order = new Map(checks.map(({ clause }, index) => [clause.name, index]));
    const at = (name: string): number => order.get(name) ?? checks.length;
    return {
      violations: parts.flatMap(({ violations }) => violations).sort((a, b) => at(a.clause_name) - at(b.clause_name)),
      unevaluated: parts.flatMap(({ unevaluated }) => unevaluated),
    };
  }
}

/** With tokens, dollars or time all spent there is no next turn, unless the limit only warns (C-7). */
function spentBy(check: Check, facts: RunFacts): Violation[] {
  const { clause } = check;
  if (clause.type !== 'limits' || clause.severity === 'warn') return [];
  const used = usedOf(clause, facts);
  if (used === null || used < clause.most || !SPENDABLE.has(clause.key)) return [];
  return [violationOf(check, { is: 'violated', details: `the run has spent ${used} of ${clause.text}, so there is no next step` })];
}

const SPENDABLE = new Set(['max_tokens', 'max_cost_usd', 'max_latency_ms']);

function usedOf({ key }: Limit, facts: RunFacts): number | null {
  switch (key) {
    case 'max_tokens':
      return facts.outputTokens;
    case 'max_input_tokens':
      return facts.inputTokens;
    case 'max_latency_ms':
      return facts.durationMs;
    case 'max_cost_usd':
      return facts.costUsd;
    case 'max_tool_calls':
      return facts.toolCalls?.length ?? null;
    case 'max_steps':
      return facts.steps;
  }
}

function leftOf(checks: readonly Check[], facts: RunFacts): Left {
  const left = (key: Limit['key']): number | null => {
    const limit = checks.map(({ clause }) => clause).find((clause): clause is Limit => clause.type === 'limits' && clause.key === key);
    if (!limit || limit.severity === 'warn') return null;
    const used = usedOf(limit, facts);
    return used === null ? null : Math.max(0, limit.most - used);
  };
  return {
    outputTokens: left('max_tokens'),
    costUsd: left('max_cost_usd'),
    durationMs: left('max_latency_ms'),
    toolCalls: left('max_tool_calls'),
    steps: left('max_steps'),
  };
}
