import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { root } from '../lib/root.mjs';
import { compare, fixtures, marked } from './must-fail.mjs';
import { program } from './program.mjs';

const config = join(root, '.dependency-cruiser.cjs');
const cruiser = join(root, 'node_modules/dependency-cruiser/bin/dependency-cruise.mjs');

export async function arrows() {
  const packages = (await readdir(join(root, 'packages'))).map((name) => `packages/${name}`);
  const { code, output } = await program([process.execPath, cruiser, '--config', config, ...packages, 'runtime']);
  return { ok: code === 0, output: code === 0 ? '' : output, note: /\d+ modules, \d+ dependencies/.exec(output)?.[0] };
}

export async function arrowsMustFail() {
  const cwd = join(fixtures, 'arrows');
  const { output } = await program([process.execPath, cruiser, '--config', config, '--output-type', 'json', 'packages', 'runtime'], {
    cwd,
  });
  const violations = JSON.parse(output).summary.violations.map(({ from, rule }) => `${from} ${rule.name}`);
  const expected = [...(await marked('arrows'))].map((mark) => mark.replace(/:\d+ /, ' '));
  return compare(new Set(expected), new Set(violations));
}
