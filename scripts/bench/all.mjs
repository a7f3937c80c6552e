#!/usr/bin/env node
// Every measurement, one after the other, and docs/performance.md from their results. Options are handed on.
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { cpus, release, totalmem } from 'node:os';
import { join } from 'node:path';
import { round } from '../lib/bench.mjs';
import { root } from '../lib/root.mjs';

const measurements = {
  'Q-1': 'startup',
  'Q-2': 'check',
  'Q-3': 'stage',
  'Q-4': 'gate',
  'Q-5': 'check-many',
  'Q-10': 'contract',
  'Q-12': 'size',
};
const results = [];
for (const [id, script] of Object.entries(measurements)) {
  const { status } = spawnSync(process.execPath, [join(root, `scripts/bench/${script}.mjs`), ...process.argv.slice(2)], {
    stdio: 'inherit',
  });
  if (status === 0) results.push(JSON.parse(readFileSync(join(root, `scripts/bench/results/${id}.json`), 'utf8')));
  else console.log(`${id} could not be measured.`);
}
writeFileSync(join(root, 'docs/performance.md'), page());

function page() {
  const rows = results.flatMap(({ id, name, figures, beside }) =>
    figures.map(({ name: figure, value, unit, target }, index) => {
      const about = index === 0 ? name.replace(/^\[.*?\] /, '') : '';
      const wanted = target === undefined ? '' : `≤ ${target}${unit}`;
      const held = target === undefined ? '' : value <= target ? 'yes' : 'no';
      return `| ${index === 0 ? id : ''} | ${about} | ${figure} | ${round(value)}${unit} | ${wanted} | ${held} | ${index === 0 ? (beside ?? '') : ''} |`;
    }),
  );
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
  ].join('\n');
}
