#!/usr/bin/env node
// Every measurement, one after the other, and docs/performance.md from their results. Options are handed on.
//   --page   the page alone, from the results that are there
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { cpus, release, totalmem } from 'node:os';
import { join } from 'node:path';
import { isMet, round, wanted } from '../lib/bench.mjs';
import { root } from '../lib/root.mjs';

const measurements = {
  'Q-1': 'startup',
  'Q-2': 'check',
  'Q-3': 'stage',
  'Q-4': 'gate',
  'Q-5': 'check-many',
  'Q-6': 'seal-large',
  'Q-7': 'parallel',
  'Q-8': 'fanout',
  'Q-9': 'record-large',
  'Q-10': 'contract',
  'Q-11': 'gate-large',
  'L-2': 'long-session',
  'G-1': 'graph-memory',
  'G-12': 'reuse',
  'Q-12': 'size',
  'I-13': 'sandbox',
};
const resultOf = (id) => join(root, `scripts/bench/results/${id}.json`);
const results = [];
for (const [id, script] of Object.entries(measurements)) {
  if (process.argv.includes('--page')) {
    if (existsSync(resultOf(id))) results.push(JSON.parse(readFileSync(resultOf(id), 'utf8')));
    continue;
  }
  const { status } = spawnSync(process.execPath, [join(root, `scripts/bench/${script}.mjs`), ...process.argv.slice(2)], {
    stdio: 'inherit',
  });
  // A signal reaches the measurement too, which clears its temporary files away.
  if (status !== null && status > 128) process.exit(status);
  if (status === 0) results.push(JSON.parse(readFileSync(resultOf(id), 'utf8')));
  else console.log(`${id} could not be measured.`);
}
writeFileSync(join(root, 'docs/performance.md'), page());

function page() {
  const rows = results.flatMap(({ id, name, figures, beside }) =>
    figures.map((figure, index) => {
      const about = index === 0 ? name.replace(/^\[.*?\] /, '') : '';
      const [target, held] = figure.target === undefined ? ['', ''] : [wanted(figure), isMet(figure) ? 'yes' : 'no'];
      const value = `${round(figure.value)}${figure.unit}`;
      return `| ${index === 0 ? id : ''} | ${about} | ${figure.name} | ${value} | ${target} | ${held} | ${index === 0 ? (beside ?? '') : ''} |`;
    }),
  );
  const remarks = results.filter(({ remark }) => remark).map(({ id, remark }) => `- ${id}: ${remark}`);
  const machine = `${cpus().length} × ${cpus()[0].model.trim()}, ${Math.round(totalmem() / 1024 ** 3)} GiB, Linux ${release()}, Node ${process.version}`;
  return [
    '# Performance',
    '',
    'Every figure is measured beside something else in the same minute, in turn, so that a slow machine is slow for both.',
    'A median is given; nothing fails for being slow. This page is made by `node scripts/bench/all.mjs`.',
    '',
    `Last measured on ${new Date().toISOString().slice(0, 10)}: ${machine}.`,
    '',
    '| Id | Measure | Figure | Value | Target | Met | Beside it |',
    '| --- | --- | --- | --- | --- | --- | --- |',
    ...rows,
    '',
    ...(remarks.length === 0 ? [] : [...remarks, '']),
  ].join('\n');
}
