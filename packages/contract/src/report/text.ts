import { counted, escapeControls, escapeName } from '@gated-flow/text';
import type { ReportFormat, Subject } from './format.js';
import type { LogSummary } from './summary.js';
import { exitOf } from './summary.js';

/** For people: a line for each violation, then what it came to. Nothing an agent wrote reaches the terminal as a control. */
export function textFormat({ log }: Subject): ReportFormat {
  return {
    begin: () => '',
    line(judged) {
      if (judged.is === 'passed') return '';
      if (judged.is === 'malformed') return `${escapeName(log)}:${judged.line}: malformed: ${escapeName(judged.message)}\n`;
      return judged.report.violations
        .map(({ action_taken, clause_name, clause_text, details, reason }) => {
          const said = reason === undefined ? '' : `\n    ${escapeControls(reason).replaceAll('\n', '\n    ')}`;
          return `${escapeName(log)}:${judged.line}: ${action_taken}: ${clause_name}: ${escapeName(`${clause_text}: ${details}`)}${said}\n`;
        })
        .join('');
    },
    end: (summary) => [...unevaluatedLines(summary), `${countsOf(summary)}\n`].join(''),
  };
}

function unevaluatedLines({ unevaluated }: LogSummary): string[] {
  return [...unevaluated].map(
    ([name, { text, runs, reason }]) => `unevaluated in ${counted(runs, 'run')}: ${name}: ${escapeName(`${text} (${reason})`)}\n`,
  );
}

export function countsOf(summary: LogSummary): string {
  const { runs, passed, warned, blocked, malformed, unevaluated } = summary;
  const parts = [
    `${counted(runs, 'run')}`,
    `${passed} passed`,
    ...(warned > 0 ? [`${warned} with warnings`] : []),
    ...(blocked > 0 ? [`${blocked} violated`] : []),
    ...(malformed > 0 ? [`${malformed} malformed ${malformed === 1 ? 'line' : 'lines'}`] : []),
    ...(unevaluated.size > 0 ? [`${unevaluated.size} unevaluated ${unevaluated.size === 1 ? 'clause' : 'clauses'}`] : []),
  ];
  return `${exitOf(summary) === 0 ? 'pass' : exitOf(summary) === 1 ? 'violation' : 'unusable'}: ${parts.join(', ')}`;
}
