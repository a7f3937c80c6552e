import { join } from 'node:path';
import { root } from '../lib/root.mjs';
import { fixtures } from './must-fail.mjs';
import { program } from './program.mjs';

const knip = [process.execPath, join(root, 'node_modules/knip/bin/knip.js'), '--no-progress'];

export async function deadCode() {
  const { code, output } = await program([...knip, '--no-config-hints']);
  return { ok: code === 0, output };
}

export async function deadCodeMustFail() {
  const { code, output } = await program(knip, { cwd: join(fixtures, 'dead') });
  return { ok: code === 1 && output.includes('src/alone.ts') && output.includes('unused'), output };
}
