#!/usr/bin/env node
// Which rule is pinned by which tests.
//   node scripts/rules.mjs              every rule with the tests whose names carry it
//   node scripts/rules.mjs --missing    the rules without a test
//   node scripts/rules.mjs --write      docs/rules.md
//   node scripts/rules.mjs --check      whether docs/rules.md is what --write would make, and every id is known
import { existsSync } from 'node:fs';
import { readFile, readdir, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { root } from './lib/root.mjs';

const page = join(root, 'docs/rules.md');
const specification = join(root, '../shared/spec');
const named = /(?<=['"`])\[((?:[A-Z]-\d+[a-z]?\s?)+)\] ?([^'"`\n]*)/g;

const titles = await readTitles();
const tests = await readTests();
const mode = process.argv[2];
if (mode === '--missing') printMissing();
else if (mode === '--write') await writeFile(page, document());
else if (mode === '--check') await check();
else for (const [id, title] of titles) console.log([`${id}  ${title}`, ...namesFor(id)].join('\n    '));

async function readTitles() {
  const lines = (await readFile(join(root, 'scripts/rules.txt'), 'utf8')).split('\n').filter((line) => /^[A-Z]-\d/.test(line));
  return new Map(lines.map((line) => line.split(/ {2}(.*)/)));
}

/** Every test or measurement whose name carries ids: `{file, ids, name}`. */
async function readTests() {
  const found = [];
  for (const folder of ['packages', 'runtime', 'scripts', 'docs']) {
    for (const file of await readdir(join(root, folder), { recursive: true })) {
      if (!/(\.test\.ts|^(?:bench|knocks)\/[\w-]+\.mjs)$/.test(file) || /node_modules|dist\/|check-fixtures/.test(file)) continue;
      const path = join(root, folder, file);
      for (const [, ids, name] of (await readFile(path, 'utf8')).matchAll(named))
        found.push({ file: relative(root, path), ids: ids.trim().split(/\s+/), name });
    }
  }
  return found.sort((a, b) => (a.file < b.file ? -1 : a.file > b.file ? 1 : 0));
}

function namesFor(id) {
  return tests.filter(({ ids }) => ids.includes(id)).map(({ file, name }) => `${file}: ${name}`);
}

function printMissing() {
  const missing = [...titles].filter(([id]) => namesFor(id).length === 0);
  for (const [id, title] of missing) console.log(`${id}  ${title}`);
  console.log(`${missing.length} of ${titles.size} rules have no test.`);
}

function document() {
  const rows = [...titles].map(([id, title]) => {
    const files = new Set(tests.filter(({ ids }) => ids.includes(id)).map(({ file }) => file));
    return `| ${id} | ${title} | ${[...files].map((file) => `[${file.replace(/^(packages|runtime|scripts)\//, '')}](../${file})`).join('<br>')} |`;
  });
  const pinned = [...titles.keys()].filter((id) => namesFor(id).length > 0).length;
  return [
    '# Rules',
    '',
    'Every behaviour of `flow` has an id, and the test that pins it carries the id in its name. This page is made by',
    '`node scripts/rules.mjs --write`; `node scripts/rules.mjs --missing` lists the rules without a test, and',
    '`npx vitest run -t K-7` runs the tests of one.',
    '',
    `${pinned} of ${titles.size} rules are pinned.`,
    '',
    '| Rule | About | Pinned by |',
    '| --- | --- | --- |',
    ...rows,
    '',
  ].join('\n');
}

async function check() {
  const faults = tests.flatMap(({ file, ids, name }) =>
    ids.filter((id) => !titles.has(id)).map((id) => `${file}: "${name}" names ${id}, which scripts/rules.txt does not list`),
  );
  for (const id of await specifiedIds()) if (!titles.has(id)) faults.push(`scripts/rules.txt lacks ${id}`);
  if ((await readFile(page, 'utf8').catch(() => '')) !== document())
    faults.push('docs/rules.md is not up to date: node scripts/rules.mjs --write');
  for (const fault of faults) console.log(fault);
  process.exitCode = faults.length > 0 ? 1 : 0;
}

/** Where the specification stands beside the repository, no rule of it may be forgotten. */
async function specifiedIds() {
  if (!existsSync(specification)) return [];
  const found = new Set();
  for (const file of await readdir(specification))
    for (const [, bold, row] of (await readFile(join(specification, file), 'utf8')).matchAll(/\*\*([A-Z]-\d+)\*\*|^\| ([A-Z]-\d+) \|/gm))
      found.add(bold ?? row);
  return [...found];
}
