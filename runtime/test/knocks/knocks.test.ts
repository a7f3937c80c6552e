import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const root = join(import.meta.dirname, '../../..');
/** Long after what any of them takes: nothing here is a measurement. */
const LONGEST_MS = 600_000;
let folder = '';

/** The command and the library, bundled into a folder of their own, so that no earlier build is needed. */
beforeAll(async () => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'w-')));
  await build({
    entryPoints: { flow: join(root, 'runtime/src/cli/bin.ts'), index: join(root, 'runtime/src/index.ts') },
    outdir: join(folder, 'dist'),
    outExtension: { '.js': '.mjs' },
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    external: ['sh-syntax'],
    define: { FLOW_VERSION: JSON.stringify('9.9.9') },
    banner: { js: "import{createRequire as makeRequire}from'node:module';const require=makeRequire(import.meta.url);" },
    logLevel: 'silent',
  });
}, 120_000);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function knock(script: string): Promise<{ readonly code: number | null; readonly said: string }> {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [join(root, `scripts/knocks/${script}.mjs`), '--small'], {
      env: { ...process.env, FLOW: join(folder, 'dist/flow.mjs') },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let said = '';
    const hear = (bytes: Buffer): void => void (said += bytes.toString());
    child.stdout.on('data', hear);
    child.stderr.on('data', hear);
    child.on('close', (code) => resolve({ code, said }));
  });
}

/** What is said of a knock that met something names it and the seed that makes it again. */
async function holds(script: string): Promise<void> {
  const { code, said } = await knock(script);
  expect(said).toContain('\n  held\n');
  expect(code).toBe(0);
}

describe.runIf(existsSync('/proc/self/environ'))('knocks at the built command, a few of each', () => {
  it('[Q-20 R-7 G-11] SIGKILL at random instants', () => holds('kill'), LONGEST_MS);
  it('[Q-21 E-2] signals at random instants', () => holds('signal'), LONGEST_MS);
  it('[Q-22 E-1] failing file system calls, full disks, few descriptors', () => holds('faults'), LONGEST_MS);
  it('[Q-23 A-18] random and changed trees', () => holds('trees'), LONGEST_MS);
  it('[Q-25 R-1] many runs at once', () => holds('crowd'), LONGEST_MS);
  it('[Q-27 R-8] flipped bits', () => holds('flips'), LONGEST_MS);
});
