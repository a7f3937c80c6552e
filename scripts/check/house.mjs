import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { root } from '../lib/root.mjs';
import { program } from './program.mjs';

/** The repository speaks of itself alone: it builds anywhere, and says nothing about the machine it was made on. */
const forbidden = [
  { pattern: /(^|[\s"'(=])\/(work\/(main|shared)|root)\//, what: 'a path of somebody’s machine' },
  { pattern: /registry\.[a-z.]+\/|"resolved": "http/, what: 'the address of a package registry' },
];
const demanded = { 'README.md': ['npm ci && npm start', 'npm ci && npm test'] };

export async function house() {
  const faults = [];
  const { output } = await program(['git', 'ls-files']);
  for (const file of output.split('\n').filter((name) => !name.startsWith('scripts/check/house'))) {
    const text = await readFile(join(root, file), 'utf8').catch(() => '');
    for (const { pattern, what } of forbidden) {
      const line = text.split('\n').findIndex((each) => pattern.test(each));
      if (line >= 0) faults.push(`${file}:${line + 1}: ${what}`);
    }
    for (const words of demanded[file] ?? []) if (!text.includes(words)) faults.push(`${file}: lacks "${words}"`);
  }
  return { ok: faults.length === 0, output: faults.join('\n') };
}
