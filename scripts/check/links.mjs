import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { root } from '../lib/root.mjs';
import { program } from './program.mjs';

/** Every relative link of a page leads to a file of the repository. */
export async function links() {
  const { output } = await program(['git', 'ls-files', '--cached', '--others', '--exclude-standard', '*.md']);
  const faults = [];
  let counted = 0;
  for (const file of output.split('\n').filter((name) => name && !name.startsWith('fixtures/') && existsSync(join(root, name)))) {
    const text = (await readFile(join(root, file), 'utf8')).replaceAll(/^(`{3,})[\s\S]*?^\1$/gm, '').replaceAll(/`[^`\n]*`/g, '');
    for (const [, target] of text.matchAll(/\]\(([^)\s]+)\)/g)) {
      if (/^(https?:|mailto:|#)/.test(target)) continue;
      counted += 1;
      if (!existsSync(join(root, dirname(file), target.split('#')[0]))) faults.push(`${file}: ${target} is not there`);
    }
  }
  return { ok: faults.length === 0, output: faults.join('\n'), note: `${counted} links` };
}
