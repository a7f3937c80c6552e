import type { ContractReport } from './report.js';
import type { ReportFormat, Subject } from './format.js';
import { exitOf } from './summary.js';

/** One document (`agentcontract.report`): every run that has a violation, every malformed line, and the counts of all. */
export function jsonFormat({ contract, log }: Subject): ReportFormat {
  let first = true;
  const item = (value: object): string => {
    const text = `${first ? '' : ','}\n${JSON.stringify(value)}`;
    first = false;
    return text;
  };
  return {
    begin() {
      const { agent, version, specVersion, path, can } = contract;
      const head = JSON.stringify({
        kind: 'agentcontract.report',
        version: 1,
        contract: { path, agent, version, spec_version: specVersion, can },
        log,
      });
      return `${head.slice(0, -1)},"runs":[`;
    },
    line(judged) {
      if (judged.is === 'passed') return '';
      if (judged.is === 'malformed') return item({ line: judged.line, malformed: judged.message });
      return judged.report.violations.length === 0 ? '' : item({ line: judged.line, ...documentOf(judged.report) });
    },
    end(summary) {
      const { runs, passed, warned, blocked, malformed, unevaluated } = summary;
      const tail = {
        unevaluated: [...unevaluated].map(([name, { text, runs: count, reason }]) => ({
          clause_name: name,
          clause_text: text,
          reason,
          runs: count,
        })),
        counts: { runs, passed, warned, blocked, malformed },
        exit: exitOf(summary),
      };
      return `\n],${JSON.stringify(tail).slice(1)}\n`;
    },
  };
}

/** A report with the seed's names. */
export function documentOf(report: ContractReport): object {
  return {
    run_id: report.runId,
    outcome: report.outcome,
    action: report.action,
    input_hash: report.inputHash,
    output_hash: report.outputHash,
    duration_ms: report.durationMs,
    cost_usd: report.costUsd,
    violations: report.violations,
    unevaluated: report.unevaluated.map(({ clause_name }) => clause_name),
  };
}
