import type { Violation } from '../evaluate/findings.js';
import type { JudgedLine } from '../runlog/judge-log.js';
import { isBlocking } from './report.js';

/** What a whole log came to: counts and a few examples a clause, so that its size does not depend on the log's. */
export interface LogSummary {
  readonly runs: number;
  readonly passed: number;
  readonly warned: number;
  readonly blocked: number;
  readonly malformed: number;
  /** Clauses that were violated, by name. */
  readonly violated: ReadonlyMap<string, ClauseCount>;
  /** Clauses nobody could judge, by name: in how many runs, and why the first time. */
  readonly unevaluated: ReadonlyMap<string, { readonly text: string; readonly runs: number; readonly reason: string }>;
  readonly malformedLines: readonly { readonly line: number; readonly message: string }[];
}

export interface ClauseCount {
  readonly count: number;
  readonly examples: readonly { readonly line: number; readonly violation: Violation }[];
}

export interface Summing {
  add(judged: JudgedLine): void;
  summary(): LogSummary;
}

const EXAMPLES = 20;

export function createSummary(): Summing {
  const counts = { runs: 0, passed: 0, warned: 0, blocked: 0, malformed: 0 };
  const violated = new Map<string, { count: number; examples: { line: number; violation: Violation }[] }>();
  const unevaluated = new Map<string, { text: string; runs: number; reason: string }>();
  const malformedLines: { line: number; message: string }[] = [];

  return {
    add(judged) {
      if (judged.is === 'malformed') {
        counts.malformed += 1;
        if (malformedLines.length < EXAMPLES) malformedLines.push({ line: judged.line, message: judged.message });
        return;
      }
      counts.runs += 1;
      if (judged.is === 'passed') {
        counts.passed += 1;
        return;
      }
      const { report, line } = judged;
      if (report.action === null) counts.passed += 1;
      else if (isBlocking(report)) counts.blocked += 1;
      else counts.warned += 1;
      for (const violation of report.violations) {
        const known = violated.get(violation.clause_name) ?? { count: 0, examples: [] };
        known.count += 1;
        if (known.examples.length < EXAMPLES) known.examples.push({ line, violation });
        violated.set(violation.clause_name, known);
      }
      for (const { clause_name, clause_text, reason } of report.unevaluated) {
        const known = unevaluated.get(clause_name) ?? { text: clause_text, runs: 0, reason };
        known.runs += 1;
        unevaluated.set(clause_name, known);
      }
    },
    summary: () => ({ ...counts, violated, unevaluated, malformedLines }),
  };
}

/** 0 pass, 1 a violation that blocks, 2 a line that is no run (C-11). */
export function exitOf({ malformed, blocked }: LogSummary): 0 | 1 | 2 {
  if (malformed > 0) return 2;
  return blocked > 0 ? 1 : 0;
}
