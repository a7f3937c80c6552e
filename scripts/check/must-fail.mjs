import { readFile, readdir } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { root } from '../lib/root.mjs';

export const fixtures = join(root, 'scripts/check-fixtures');

/** Every `// fails: RULE` of a fixture folder, as `file:line RULE`. */
export async function marked(folder) {
  const found = new Set();
  for (const entry of await readdir(join(fixtures, folder), { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || !entry.name.endsWith('.ts')) continue;
    const path = join(entry.parentPath, entry.name);
    const lines = (await readFile(path, 'utf8')).split('\n');
    for (const [index, line] of lines.entries()) {
      const rules = /\/\/ fails: (.*)$/.exec(line)?.[1];
      for (const rule of rules?.split(', ') ?? []) found.add(`${relative(join(fixtures, folder), path)}:${index + 1} ${rule}`);
    }
  }
  return found;
}

/** Both ways: a rule that lets its file pass is as wrong as one that reports what is allowed. */
export function compare(expected, reported) {
  const missed = [...expected].filter((mark) => !reported.has(mark)).map((mark) => `not reported: ${mark}`);
  const extra = [...reported].filter((mark) => !expected.has(mark)).map((mark) => `reported, but allowed: ${mark}`);
  return {
    ok: expected.size > 0 && missed.length + extra.length === 0,
    output: [...missed, ...extra].join('\n'),
    note: `${expected.size} violations found`,
  };
}
