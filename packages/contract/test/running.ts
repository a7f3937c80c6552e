import type { Judge, JudgeAnswer, JudgeQuestion, Judging, EvaluationPorts } from '../src/evaluate/ports.js';
import { findingsOf } from '../src/evaluate/findings.js';
import type { FindingOptions } from '../src/evaluate/findings.js';
import { prepare } from '../src/evaluate/prepare.js';
import type { RunFacts } from '../src/facts.js';
import { NOTHING_KNOWN } from '../src/facts.js';
import { contract } from './loading.js';

export const IDENTITY = { runId: '8f14e45f-ceea-4671-9a64-6a1a1c2a7b11', timestamp: '2026-03-21T00:00:00.000Z' };

export interface Asked {
  /** `clause name: details` of every violation, in order. */
  readonly violated: string[];
  /** `clause name: reason` */
  readonly unevaluated: string[];
}

/** Judges a contract of these clauses on these facts. */
export async function judge(clauses: string, facts: Partial<RunFacts>, options: EvaluationPorts & FindingOptions = {}): Promise<Asked> {
  const { checks } = await prepare(await contract(clauses), options);
  const found = await findingsOf(checks, { ...NOTHING_KNOWN, ...facts }, options);
  return {
    violated: found.violations.map(({ clause_name, details }) => `${clause_name}: ${details}`),
    unevaluated: found.unevaluated.map(({ clause_name, reason }) => `${clause_name}: ${reason}`),
  };
}

/** A judge that answers these texts in turn, and fails on a question more. Keeps what it was asked. */
export function scriptedJudge(
  answers: readonly (string | JudgeAnswer)[],
  name = 'test/small',
): Judge & { readonly asked: JudgeQuestion[] } {
  const asked: JudgeQuestion[] = [];
  return {
    name,
    asked,
    ask: async (question) => {
      const answer = answers[asked.length];
      asked.push(question);
      if (answer === undefined) throw new Error('The judge was asked once more than expected.');
      return typeof answer === 'string' ? { ok: true, text: answer } : answer;
    },
  };
}

let fences = 0;
export function judging(...judges: readonly Judge[]): Judging {
  return { candidates: () => judges, boundary: () => `fence-${++fences}` };
}

export const pass = '{"verdict": "PASS", "reason": "fine"}';
export const fail = '{"verdict": "FAIL", "reason": "not so"}';
export const text = (value: string): { readonly text: string } => ({ text: value });
