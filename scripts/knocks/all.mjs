#!/usr/bin/env node
// Every knock, one after the other, and docs/reliability.md from their results.
//   node scripts/knocks/all.mjs            all of it, in less than half an hour on two cores
//   node scripts/knocks/all.mjs --small    whether the knocks themselves work; the page stays as it is
//   node scripts/knocks/all.mjs --page     the page alone, from the results that are there
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, release, totalmem } from 'node:os';
import { join } from 'node:path';
import { root } from '../lib/root.mjs';

const knocks = {
  'Q-20': 'kill',
  'Q-21': 'signal',
  'Q-22': 'faults',
  'Q-23': 'trees',
  'Q-25': 'crowd',
  'Q-26': 'provider',
  'Q-27': 'flips',
};
const small = process.argv.includes('--small');
const resultOf = (id) => join(root, `scripts/knocks/results/${id}.json`);

let broken = 0;
if (!process.argv.includes('--page')) {
  for (const [id, script] of Object.entries(knocks)) {
    const file = join(root, `scripts/knocks/${script}.mjs`);
    if (!existsSync(file)) continue;
    console.log(`${id}: node scripts/knocks/${script}.mjs`);
    if (!small) rmSync(resultOf(id), { force: true });
    const { status } = spawnSync(process.execPath, [file, ...(small ? ['--small'] : [])], { stdio: 'inherit' });
    if (status !== 0) broken += 1;
  }
}
if (!small) writeFileSync(join(root, 'docs/reliability.md'), page());
process.exit(broken === 0 ? 0 : 1);

function page() {
  const rows = Object.entries(knocks).flatMap(([id, script]) => (existsSync(resultOf(id)) ? rowsOf(id, script) : []));
  const machine = `${cpus().length} × ${cpus()[0].model.trim()}, ${Math.round(totalmem() / 1024 ** 3)} GiB, Linux ${release()}, Node ${process.version}`;
  return [
    '# Reliability',
    '',
    'Every figure is made by a script that knocks at real runs of the built command and looks at what is left. A knock that meets',
    'anything that must not be names it, prints the seed that makes it again, and exits 1. `npm test` runs a small one of each.',
    'This page is made by `node scripts/knocks/all.mjs`; each command below works alone and takes `--seed N`.',
    '',
    `Last measured on ${new Date().toISOString().slice(0, 10)}: ${machine}.`,
    '',
    '| Id | Command | Knock | Figure | Value | Held |',
    '| --- | --- | --- | --- | --- | --- |',
    ...rows,
    '',
  ].join('\n');
}

function rowsOf(id, script) {
  const { name, figures, faults = [], seed, seconds, words = '' } = JSON.parse(readFileSync(resultOf(id), 'utf8'));
  const command = ['node', `scripts/knocks/${script}.mjs`, words].join(' ').trim();
  const told = seed === undefined ? [] : [{ name: 'seed; seconds it took', value: `${seed}; ${Math.round(seconds)}` }];
  return [...figures, ...told].map(({ name: figure, value, unit = '' }, index) => {
    const first = index === 0;
    const held = faults.length === 0 ? 'yes' : `no: ${faults.length} faults`;
    const about = name.replace(/^\[.*?\] /, '');
    return `| ${first ? id : ''} | ${first ? `\`${command}\`` : ''} | ${first ? cell(about) : ''} | ${cell(figure)} | ${cell(`${value}${unit}`)} | ${first ? held : ''} |`;
  });
}

function cell(text) {
  return String(text).replaceAll('|', '\\|').replaceAll('\n', ' ');
}
