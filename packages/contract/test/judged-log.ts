/** A log as it is judged, for the tests of reports. */
import { prepare } from '../src/evaluate/prepare.js';
import { FORMATS } from '../src/report/format.js';
import { createSummary } from '../src/report/summary.js';
import type { JudgedLine } from '../src/runlog/judge-log.js';
import { logJudge } from '../src/runlog/judge-log.js';
import { contract } from './loading.js';
import { IDENTITY } from './running.js';

const CLAUSES = `must: [be helpful]\nlimits: {max_latency_ms: 10}\nassert:\n  - {name: no_foo, type: pattern, must_not_match: foo, description: 'no "foo" & <b>'}\ninvariant: [cost does not exceed 1 USD per step, calls no tools]\non_violation: {default: block, max_latency_ms: warn, no_foo: halt_and_alert}\n`;
export const run = (output: unknown, more: object = {}) =>
  JSON.stringify({ input: 'q', output, tool_calls: [], duration_ms: 5, cost_usd: 0.1, ...more });

/** Judges the lines of a log by these clauses, and prints what came of it. */
export async function judged(lines: readonly string[], options: { strict?: boolean; clauses?: string } = {}) {
  const loaded = await contract(options.clauses ?? CLAUSES);
  const prepared = await prepare(loaded);
  const judge = logJudge(prepared, { identity: () => IDENTITY, unevaluated: options.strict ? 'fail' : 'report' });
  const all: JudgedLine[] = [];
  for (const [index, line] of lines.entries()) all.push(await judge.judge(line, index + 1));
  const summing = createSummary();
  for (const each of all) summing.add(each);
  const print = (format: string): string => {
    const report = FORMATS[format]?.({ contract: loaded, checks: prepared.checks, log: 'runs:1,\n.jsonl' });
    return report ? [report.begin(), ...all.map((each) => report.line(each)), report.end(summing.summary())].join('') : '';
  };
  return { all, summary: summing.summary(), print };
}

export const LOG = [
  run('fine'),
  run('foo \u0000\u001b[31m'),
  run('slow', { duration_ms: 11 }),
  'not json',
  run('x', { tool_calls: ['t'] }),
];
