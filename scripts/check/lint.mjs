import { relative } from 'node:path';
import { ESLint } from 'eslint';
import { root } from '../lib/root.mjs';
import { compare, fixtures, marked } from './must-fail.mjs';

export async function lint() {
  const eslint = new ESLint({ cwd: root, errorOnUnmatchedPattern: false });
  const results = await eslint.lintFiles(['packages', 'runtime', 'docs', 'vitest.config.ts', 'scripts']);
  const errors = sum(results, 'errorCount');
  const warnings = sum(results, 'warningCount');
  const formatter = await eslint.loadFormatter('stylish');
  const note = `${results.length} files, ${errors} errors, ${warnings} warnings`;
  return { ok: errors === 0, output: errors + warnings > 0 ? await formatter.format(results) : '', note };
}

export async function lintMustFail() {
  const eslint = new ESLint({ cwd: root, ignore: false });
  const reported = new Set();
  for (const { filePath, messages } of await eslint.lintFiles(['scripts/check-fixtures/lint']))
    for (const { line, ruleId } of messages) if (ruleId) reported.add(`${relative(`${fixtures}/lint`, filePath)}:${line} ${ruleId}`);
  return compare(await marked('lint'), reported);
}

const sum = (results, key) => results.reduce((total, result) => total + result[key], 0);
