// Writes fixtures/records/v1/: run folders as they are left, whole and not. Frozen once real runs have made them; see their README.
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { root } from './lib/root.mjs';

const target = join(root, 'fixtures/records/v1');
const scratch = mkdtempSync(join(tmpdir(), 'fixtures-'));
try {
  const outfile = join(scratch, 'plant-run.mjs');
  await build({
    entryPoints: [join(root, 'packages/record/test/plant-run.ts')],
    bundle: true,
    platform: 'node',
    format: 'esm',
    outfile,
    logLevel: 'warning',
  });
  const { plantSuccess, plantExhausted } = await import(pathToFileURL(outfile).href);

  mkdirSync(target, { recursive: true });
  const fresh = (name) => {
    rmSync(join(target, name), { recursive: true, force: true });
    return join(target, name);
  };
  plantSuccess(fresh('success'));
  plantExhausted(fresh('exhausted'));

  const torn = fresh('torn');
  cpSync(join(target, 'success'), torn, { recursive: true });
  for (const seal of ['manifest.sha256', 'record.sha256', 'stages/02-draft/1/2', 'stages/02-draft/1/session.jsonl'])
    rmSync(join(torn, seal), { recursive: true });
  const lines = readFileSync(join(torn, 'record.jsonl'), 'utf8').split('\n');
  truncateSync(join(torn, 'record.jsonl'), Buffer.byteLength(lines.slice(0, 12).join('\n')) + 60);

  const altered = fresh('altered');
  cpSync(join(target, 'success'), altered, { recursive: true });
  writeFileSync(join(altered, 'stages/02-draft/1/2/output.txt'), 'What happens next: nothing..\n');
} finally {
  rmSync(scratch, { recursive: true });
}
