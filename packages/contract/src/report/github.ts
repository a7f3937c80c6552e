import { counted, workflowData, workflowProperty } from '@gated-flow/text';
import type { Violation } from '../evaluate/findings.js';
import { ACTIONS } from '../contract.js';
import type { ReportFormat, Subject } from './format.js';
import { whyBroken } from './report.js';
import type { LogSummary } from './summary.js';
import { countsOf } from './text.js';

/** Of each kind a step shows ten: one malformed line, then the strongest actions, one of each clause before a second. */
const SHOWN = 10;

/** GitHub workflow commands: annotations of the log's lines. */
export function githubFormat(subject: Subject): ReportFormat {
  return { begin: () => '', line: () => '', end: (summary) => annotations(subject, summary) };
}

interface Annotation {
  readonly kind: 'error' | 'warning' | 'notice';
  readonly line?: number;
  readonly title: string;
  readonly message: string;
}

function annotations({ log }: Subject, summary: LogSummary): string {
  const [unusable, ...others] = malformed(summary);
  const all = [...(unusable ? [unusable] : []), ...violations(summary), ...others, ...unevaluated(summary)];
  const kinds = ['error', 'warning', 'notice'] as const;
  const shown = kinds.flatMap((kind) => all.filter((each) => each.kind === kind).slice(0, SHOWN));
  return [...shown.map((each) => command(each, log)), `${workflowData(countsOf(summary))}\n`].join('');
}

function malformed({ malformed: count, malformedLines }: LogSummary): Annotation[] {
  return malformedLines.map(({ line, message }, nth) => {
    const more = nth === 0 && count > 1 ? `\nOf such lines there are ${count}.` : '';
    return { kind: 'error' as const, line, title: 'malformed line', message: `${message}${more}` };
  });
}

function violations({ violated }: LogSummary): Annotation[] {
  const ranked = [...violated.values()].flatMap(({ examples, count }) =>
    examples.map(({ line, violation }, nth) => ({ line, violation, nth, more: nth === 0 ? count - 1 : 0 })),
  );
  ranked.sort((a, b) => a.nth - b.nth || rank(b.violation) - rank(a.violation) || a.line - b.line);
  return ranked.map(({ line, violation, more }) => ({
    kind: violation.action_taken === 'warn' ? ('warning' as const) : ('error' as const),
    line,
    title: `${violation.clause_name} (${violation.action_taken})`,
    message: `${violation.clause_text}: ${whyBroken(violation)}${more > 0 ? `\nViolated ${more} more times.` : ''}`,
  }));
}

function rank({ action_taken }: Violation): number {
  return ACTIONS.indexOf(action_taken);
}

function unevaluated({ unevaluated: clauses }: LogSummary): Annotation[] {
  return [...clauses].map(([name, { text, runs, reason }]) => ({
    kind: 'warning' as const,
    title: `${name} (unevaluated)`,
    message: `${text}: unevaluated in ${counted(runs, 'run')}, since ${reason}`,
  }));
}

function command({ kind, line, title, message }: Annotation, log: string): string {
  const place = line === undefined ? '' : `file=${workflowProperty(log)},line=${line},`;
  return `::${kind} ${place}title=${workflowProperty(title)}::${workflowData(message)}\n`;
}
