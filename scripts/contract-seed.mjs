#!/usr/bin/env node
// docs/contract-seed.md: every demand of AgentContract 0.1.0 with the test that shows it, from scripts/contract-seed.txt.
//   node scripts/contract-seed.mjs --write | --check      a test that is named and not there is a fault of either
import { readFile, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { root } from './lib/root.mjs';

const page = join(root, 'docs/contract-seed.md');
const folder = join(root, 'packages/contract/test');
const faults = [];
const names = new Map();
for (const file of (await readdir(folder)).filter((name) => name.endsWith('.test.ts')))
  names.set(file.replace('.test.ts', ''), await readFile(join(folder, file), 'utf8'));

const lines = (await readFile(join(root, 'scripts/contract-seed.txt'), 'utf8')).split('\n').filter((line) => line && !line.startsWith('#'));
const demands = lines.map((line) => line.split(/\s*\|\s*/));
const text = [
  '# AgentContract 0.1.0, demand by demand',
  '',
  'Every MUST, SHOULD and MAY of sections 5 to 11 of the specification, and the tests of `packages/contract` that show it. This page',
  'is made by `node scripts/contract-seed.mjs --write`, which fails when a test that is named here is not there.',
  '',
  '| Section | Level | Demand | Shown by |',
  '| --- | --- | --- | --- |',
  ...demands.map(([section, level, demand, shown]) => `| ${section} | ${level} | ${demand} | ${shownBy(shown)} |`),
  '',
].join('\n');

if (process.argv[2] === '--write') await writeFile(page, text);
else if ((await readFile(page, 'utf8').catch(() => '')) !== text)
  faults.push('docs/contract-seed.md is not up to date: node scripts/contract-seed.mjs --write');
for (const fault of faults) console.log(fault);
process.exitCode = faults.length > 0 ? 1 : 0;

function shownBy(shown) {
  if (shown.startsWith('not here: ')) return `Not here: ${shown.slice('not here: '.length)}.`;
  return tests(shown).map(link).join('<br>');
}

/** A ";" inside a name is not followed by a file's name. */
function tests(shown) {
  return shown.split(/; (?=[a-z]+: )/);
}

function link(test) {
  const [, file, words] = /^([a-z]+): (.*)$/.exec(test) ?? [];
  const source = names.get(file);
  const found = source?.split('\n').find((line) => line.replaceAll("\\'", "'").includes(words));
  if (!found) faults.push(`scripts/contract-seed.txt names a test that is not there: ${test}`);
  return `[${file}](../packages/contract/test/${file}.test.ts): ${words}`;
}
