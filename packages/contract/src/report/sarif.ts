import { counted, wellFormed } from '@gated-flow/text';
import type { Place } from '../contract.js';
import type { Violation } from '../evaluate/findings.js';
import type { ReportFormat, Subject } from './format.js';
import { whyBroken } from './report.js';
import type { LogSummary } from './summary.js';

const SCHEMA = 'https://json.schemastore.org/sarif-2.1.0.json';
const MALFORMED = 'malformed-line';

/** SARIF 2.1.0, written while the log is read: a result for each violation, at its line of the log and its clause. */
export function sarifFormat({ contract, checks, log }: Subject): ReportFormat {
  let first = true;
  const result = (value: object): string => {
    const text = `${first ? '' : ','}\n${JSON.stringify(value)}`;
    first = false;
    return text;
  };
  return {
    begin() {
      const rules = checks.map(({ clause: { name, text, description } }) => ({
        id: name,
        shortDescription: { text: wellFormed(text) },
        ...(description === undefined ? {} : { fullDescription: { text: wellFormed(description) } }),
      }));
      const driver = {
        name: 'agentcontract',
        semanticVersion: '0.1.0',
        rules: [...rules, { id: MALFORMED, shortDescription: { text: 'a line of the log that is no run' } }],
      };
      const properties = { agent: contract.agent, contract: contract.path, contractVersion: contract.version };
      return `{"$schema":"${SCHEMA}","version":"2.1.0","runs":[{"tool":${JSON.stringify({ driver })},"properties":${JSON.stringify(properties)},"results":[`;
    },
    line(judged) {
      if (judged.is === 'passed') return '';
      if (judged.is === 'malformed') {
        const text = `Line ${judged.line} is no run. ${judged.message}`;
        return result({ ruleId: MALFORMED, level: 'error', message: { text }, locations: [locationOf({ file: log, line: judged.line })] });
      }
      return judged.report.violations.map((violation) => result(resultOf(violation, { file: log, line: judged.line }))).join('');
    },
    end: (summary) => `\n],"invocations":[${JSON.stringify(invocationOf(summary))}]}]}\n`,
  };
}

function resultOf(violation: Violation, at: Where): object {
  const { clause_name, clause_text, action_taken, origin } = violation;
  return {
    ruleId: clause_name,
    level: action_taken === 'warn' ? 'warning' : 'error',
    message: { text: wellFormed(`${clause_text}: ${whyBroken(violation)}`) },
    locations: [locationOf(at)],
    relatedLocations: [{ ...locationOf(origin), id: 1, message: { text: 'the clause' } }],
    properties: { severity: violation.severity, actionTaken: action_taken, judge: violation.judge },
  };
}

interface Where {
  readonly file: string;
  readonly line: number;
  readonly column?: Place['column'];
}

function locationOf({ file, line, column }: Where): object {
  const uri = /^https:/.test(file) ? file : file.split('/').map(encodeURIComponent).join('/');
  const region = { startLine: line, ...(column === undefined ? {} : { startColumn: column }) };
  return { physicalLocation: { artifactLocation: { uri }, region } };
}

function invocationOf({ malformed, unevaluated }: LogSummary): object {
  const notes = [...unevaluated].map(([name, { text, runs, reason }]) => ({
    level: 'warning',
    message: { text: wellFormed(`${name}: ${text}: unevaluated in ${counted(runs, 'run')}, since ${reason}`) },
    associatedRule: { id: name },
  }));
  return { executionSuccessful: malformed === 0, toolExecutionNotifications: notes };
}
