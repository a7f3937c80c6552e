import { counted, xmlAttribute, xmlText } from '@gated-flow/text';
import type { ReportFormat, Subject } from './format.js';
import { whyBroken } from './report.js';
import type { LogSummary } from './summary.js';

/** JUnit XML: one test case a clause, and one for the log itself. Violations by their lines, the first twenty of each clause. */
export function junitFormat(subject: Subject): ReportFormat {
  return { begin: () => '', line: () => '', end: (summary) => documentOf(subject, summary) };
}

function documentOf({ contract, checks, log }: Subject, summary: LogSummary): string {
  const cases = [...checks.map(({ clause: { name, text } }) => caseOf(name, text, summary)), logCase(log, summary)];
  const count = (is: TestCase['is']): number => cases.filter((each) => each.is === is).length;
  const counts = `tests="${cases.length}" failures="${count('failure')}" errors="${count('error')}"`;
  const name = xmlAttribute(`${contract.agent} ${contract.version}`);
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="agentcontract" ${counts}>`,
    `  <testsuite name="${name}" ${counts} skipped="${count('skipped')}" time="0">`,
    ...cases.map(
      ({ name: of, body }) =>
        `    <testcase classname="${xmlAttribute(contract.path)}" name="${xmlAttribute(of)}" time="0">${body}</testcase>`,
    ),
    '  </testsuite>',
    '</testsuites>',
    '',
  ].join('\n');
}

interface TestCase {
  readonly name: string;
  readonly is: 'passed' | 'failure' | 'error' | 'skipped';
  readonly body: string;
}

function caseOf(name: string, text: string, { violated, unevaluated, runs }: LogSummary): TestCase {
  const title = name === text ? name : `${name}: ${text}`;
  const found = violated.get(name);
  const unknown = unevaluated.get(name);
  const note = unknown ? `unevaluated in ${unknown.runs} of ${counted(runs, 'run')}: ${unknown.reason}` : undefined;
  if (!found) return { name: title, is: note ? 'skipped' : 'passed', body: note ? `<skipped>${xmlText(note)}</skipped>` : '' };
  const lines = found.examples.map(({ line, violation }) => `line ${line}: ${violation.action_taken}: ${whyBroken(violation)}`);
  if (found.count > lines.length) lines.push(`and ${found.count - lines.length} more`);
  if (note) lines.push(note);
  const message = `violated ${counted(found.count, 'time')}`;
  // A warning passes: it is told in the case's output.
  const warning = found.examples.every(({ violation }) => violation.action_taken === 'warn');
  if (warning) return { name: title, is: 'passed', body: `<system-out>${xmlText(`${message}\n${lines.join('\n')}`)}</system-out>` };
  return {
    name: title,
    is: 'failure',
    body: `<failure type="violation" message="${xmlAttribute(message)}">${xmlText(lines.join('\n'))}</failure>`,
  };
}

function logCase(log: string, { malformed, malformedLines }: LogSummary): TestCase {
  const name = `the run log ${log}`;
  if (malformed === 0) return { name, is: 'passed', body: '' };
  const lines = malformedLines.map(({ line, message }) => `line ${line}: ${message}`);
  if (malformed > lines.length) lines.push(`and ${malformed - lines.length} more`);
  return { name, is: 'error', body: `<error type="malformed" message="${malformed} malformed lines">${xmlText(lines.join('\n'))}</error>` };
}
