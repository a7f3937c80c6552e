#!/usr/bin/env node
// docs/NAME-seed.md: every demand of a specification with the test that shows it, from scripts/NAME-seed.txt.
//   node scripts/seeds.mjs contract|governance --write | --check      a test that is named and not there is a fault of either
import { readFile, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { root } from './lib/root.mjs';

const pages = {
  contract: {
    title: 'AgentContract 0.1.0, demand by demand',
    about: 'Every MUST, SHOULD and MAY of sections 5 to 11 of the specification, and the tests of `packages/contract` that show it.',
    columns: ['Section', 'Level', 'Demand'],
    folders: { '': 'packages/contract/test' },
  },
  governance: {
    title: 'The governance contract, demand by demand',
    about: 'Every demand of the declarative governance contract 0.1, and the tests that show it.',
    columns: ['Section', 'Demand'],
    folders: { '': 'packages/governance/test', 'run/': 'runtime/test/governance', 'permit/': 'runtime/test/permit' },
  },
};

const [name, mode] = process.argv.slice(2);
const page = Object.hasOwn(pages, name ?? '') ? pages[name] : undefined;
if (page === undefined) {
  console.log(`node scripts/seeds.mjs ${Object.keys(pages).join('|')} --write | --check`);
  process.exit(2);
}

const faults = [];
/** `load` or `run/decide` → where the file is, and its text. */
const files = new Map();
for (const [prefix, folder] of Object.entries(page.folders)) {
  for (const file of (await readdir(join(root, folder))).filter((one) => one.endsWith('.test.ts')))
    files.set(prefix + file.replace('.test.ts', ''), { path: `${folder}/${file}`, text: await readFile(join(root, folder, file), 'utf8') });
}

const list = `scripts/${name}-seed.txt`;
const lines = (await readFile(join(root, list), 'utf8')).split('\n').filter((line) => line && !line.startsWith('#'));
const text = [
  `# ${page.title}`,
  '',
  page.about,
  `This page is made by \`node scripts/seeds.mjs ${name} --write\`, which fails when a test that is named here is not there.`,
  '',
  row([...page.columns, 'Shown by']),
  row([...page.columns, 'Shown by'].map(() => '---')),
  ...lines.map((line) => demand(line.split(/\s*(?<!\\)\|\s*/))),
  '',
].join('\n');

const shown = `docs/${name}-seed.md`;
if (mode === '--write') await writeFile(join(root, shown), text);
else if ((await readFile(join(root, shown), 'utf8').catch(() => '')) !== text)
  faults.push(`${shown} is not up to date: node scripts/seeds.mjs ${name} --write`);
for (const fault of faults) console.log(fault);
process.exitCode = faults.length > 0 ? 1 : 0;

function row(cells) {
  return `| ${cells.join(' | ')} |`;
}

function demand(cells) {
  const words = cells.slice(0, page.columns.length);
  const by = cells[page.columns.length];
  if (by === undefined || by === '') faults.push(`${list} says of no test what it shows: ${words.join(' | ')}`);
  return row([...words, shownBy(by ?? '')]);
}

function shownBy(by) {
  if (by.startsWith('not here: ')) return `Not here: ${by.slice('not here: '.length)}.`;
  return tests(by).map(link).join('<br>');
}

/** A ";" inside a name is not followed by a file's name. */
function tests(by) {
  return by.split(/; (?=[a-z][a-z./-]*: )/);
}

function link(test) {
  const [, key, words] = /^([a-z][a-z./-]*): (.*)$/.exec(test) ?? [];
  const file = files.get(key);
  const found = file?.text.split('\n').find((line) => line.replaceAll("\\'", "'").includes(words));
  if (!found) faults.push(`${list} names a test that is not there: ${test}`);
  return `[${key}](../${file?.path}): ${words}`;
}
