#!/usr/bin/env node
// packages/contract/docs/grammar.md, from the table that judges:  node scripts/contract-grammar.mjs --write | --check
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { root } from './lib/root.mjs';

const page = join(root, 'packages/contract/docs/grammar.md');
const { PHRASES } = await import(join(root, 'packages/contract/dist/index.js'));

const cell = (text) => text.replaceAll('|', '\\|').replaceAll('\n', ' ');
const rows = PHRASES.map(({ form, meaning, unit, examples }) => {
  const shown = examples.map(({ text }) => `\`${cell(text)}\``).join('<br>');
  return `| \`${cell(form)}\` | ${cell(unit ? `${meaning} ${unit.slice(0, 1).toUpperCase()}${unit.slice(1)}.` : meaning)} | ${shown} |`;
});
const text = [
  '# Sentences a program can decide',
  '',
  'A clause of a contract that is written in one of these forms is judged exactly, without a model. Under `must_not` it is negated.',
  '`requires` speaks of the input, everything else of the output, unless the sentence says which. Case and a full stop at the end do',
  'not count; texts stand in quotes, expressions between slashes. `the agent must` may stand in front. AMOUNT is `at least N`,',
  '`at most N`, `more than N`, `less than N`, `exactly N`, `does not exceed N` or `between N and M`.',
  '',
  'Anything else is decided by a fact of the host, by a judge (`judge: llm`), or by nobody, and then it is listed as unevaluated.',
  'This page is made from the table by `node scripts/contract-grammar.mjs --write`, and the tests judge every example.',
  '',
  '| Form | Meaning | Examples |',
  '| --- | --- | --- |',
  ...rows,
  '',
].join('\n');

if (process.argv[2] === '--write') await writeFile(page, text);
else if ((await readFile(page, 'utf8').catch(() => '')) !== text) {
  console.log('packages/contract/docs/grammar.md is not up to date: node scripts/contract-grammar.mjs --write');
  process.exitCode = 1;
}
