import type { Check } from '../evaluate/check.js';
import type { FindingOptions, Findings, Unevaluated } from '../evaluate/findings.js';
import { findingsOf, violationOf } from '../evaluate/findings.js';
import type { PreparedContract } from '../evaluate/prepare.js';
import type { ContractReport, RunIdentity } from '../report/report.js';
import { reportOf, withoutUndo } from '../report/report.js';
import { readLogEntry } from './entry.js';

/** A line of the log: judged, judged with nothing to say, or no run at all. */
export type JudgedLine =
  | { readonly is: 'passed'; readonly line: number }
  | { readonly is: 'judged'; readonly line: number; readonly report: ContractReport }
  | { readonly is: 'malformed'; readonly line: number; readonly message: string };

export interface LogOptions extends FindingOptions {
  identity(): RunIdentity;
  /** A report of every run, for the audit; otherwise a run with nothing to say has none. */
  readonly everyReport?: boolean;
  /** For runs that do not say which model did the work. */
  readonly agentModel?: string | null;
}

export interface LogJudge {
  /** Answers at once when nobody has to be asked. */
  judge(text: string, line: number): JudgedLine | Promise<JudgedLine>;
}

/** Judges past runs, one line each (C-11). Nothing can be undone any more, so a `rollback` is a `block`. */
export function logJudge({ contract, checks }: PreparedContract, options: LogOptions): LogJudge {
  const usable = checks.filter(({ inLogs }) => inLogs);
  const others = checks.filter(({ inLogs }) => !inLogs);
  const missing = others.map(({ clause: { type, name, text } }): Unevaluated => ({
    clause_type: type,
    clause_name: name,
    clause_text: text,
    reason: NO_STEPS,
  }));
  const failed = options.unevaluated === 'fail' ? others.map(failedCheck) : [];
  const order = new Map(checks.map(({ clause }, index) => [clause.name, index]));

  return {
    judge(text, line) {
      const entry = readLogEntry(text);
      if (!entry.ok) return { is: 'malformed', line, message: entry.message };
      const facts = { ...entry.facts, agentModel: entry.facts.agentModel ?? options.agentModel ?? null };
      const report = (found: Findings): JudgedLine => {
        if (!options.everyReport && found.violations.length + found.unevaluated.length === 0) return { is: 'passed', line };
        const { runId, timestamp } = options.identity();
        const identity = { runId: entry.runId ?? runId, timestamp: entry.timestamp ?? timestamp };
        const made = reportOf(contract, identity, facts, found);
        return { is: 'judged', line, report: made.action === 'rollback' ? withoutUndo(made, 'the run is over') : made };
      };
      const found = findingsOf(usable, facts, options);
      return found instanceof Promise ? found.then((all) => report(complete(all))) : report(complete(found));
    },
  };

  function complete(found: Findings): Findings {
    if (missing.length === 0) return found;
    const at = (name: string): number => order.get(name) ?? checks.length;
    const byOrder = (a: { readonly clause_name: string }, b: { readonly clause_name: string }): number =>
      at(a.clause_name) - at(b.clause_name);
    return { violations: [...found.violations, ...failed].sort(byOrder), unevaluated: [...found.unevaluated, ...missing].sort(byOrder) };
  }
}

const NO_STEPS = 'a run log has no steps but its tool calls';

function failedCheck(check: Check) {
  return violationOf(check, { is: 'violated', details: `unevaluated: ${NO_STEPS}` });
}
