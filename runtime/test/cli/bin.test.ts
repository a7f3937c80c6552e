import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { assembly, plant, stage } from '../plan/ground.js';

/** The bundled command in a folder of its own, so that these tests need no earlier build. */
let folder = '';
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'w-'));
  await build({
    entryPoints: [join(import.meta.dirname, '../../src/cli/bin.ts')],
    outdir: join(folder, 'dist'),
    outExtension: { '.js': '.mjs' },
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    define: { FLOW_VERSION: '"9.9.9"' },
    banner: { js: "import{createRequire as makeRequire}from'node:module';const require=makeRequire(import.meta.url);" },
    logLevel: 'silent',
  });
  const stages = Object.fromEntries(Array.from({ length: 600 }, (_, index) => [`${index + 1}-${'n'.repeat(90)}${index}.md`, stage()]));
  plant(join(folder, 'a'), assembly(stages));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

interface Ended {
  readonly code: number | null;
  readonly out: Buffer;
  readonly err: string;
}

/** Runs the bundle; `read` may close standard output early. */
function flow(words: readonly string[], read: (out: NodeJS.ReadableStream & { destroy(): void }) => void = () => {}): Promise<Ended> {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [join(folder, 'dist/bin.mjs'), ...words], {
      cwd: folder,
      stdio: ['pipe', 'pipe', 'pipe'],
      env: { PATH: process.env['PATH'], HOME: folder, FLOW_HOME: join(folder, 'home') },
    });
    const out: Buffer[] = [];
    const err: Buffer[] = [];
    child.stdout.on('data', (data: Buffer) => out.push(data));
    child.stderr.on('data', (data: Buffer) => err.push(data));
    read(child.stdout);
    child.on('close', (code) => {
      child.stdin.destroy();
      resolve({ code, out: Buffer.concat(out), err: Buffer.concat(err).toString() });
    });
  });
}

it('[Q-1 I-1] --version answers', async () => {
  const { code, out, err } = await flow(['--version']);
  expect([code, out.toString(), err]).toEqual([0, '9.9.9\n', '']);
});

it('[Q-1] nothing is loaded to say the version: the first file imports nothing', () => {
  const first = readFileSync(join(folder, 'dist/bin.mjs'), 'utf8');
  expect(first.match(/^import\b(?!\s*\{\s*createRequire).*$/gm) ?? []).toEqual([]);
});

it('[I-4 I-2] a document larger than a pipe arrives whole, and the open standard input of a CI job hangs nothing', async () => {
  const { code, out } = await flow(['check', './a', '--json']);
  expect(code).toBe(0);
  expect(out.length).toBeGreaterThan(400_000);
  const parsed: unknown = JSON.parse(out.toString());
  expect(parsed).toMatchObject({ kind: 'flow.check', stages: { length: 600 } });
});

it('[I-4] a reader that leaves is quiet', async () => {
  const { code, err } = await flow(['check', './a', '--json'], (out) => out.destroy());
  expect([code, err]).toEqual([0, '']);
});

it('[I-3] the log is written only when asked for, as lines in its file, never into the output', async () => {
  mkdirSync(join(folder, 'logs'));
  writeFileSync(join(folder, 'logs/earlier.log'), 'earlier\n');
  const { code, out, err } = await flow(['check', './a', '--json', '--log-level', 'debug', '--log-file', 'logs/earlier.log']);
  expect([code, err]).toEqual([0, '']);
  expect(JSON.parse(out.toString())).toMatchObject({ kind: 'flow.check' });
  const [first, ...lines] = readFileSync(join(folder, 'logs/earlier.log'), 'utf8').trimEnd().split('\n');
  expect(first).toBe('earlier');
  expect(lines.map((line): unknown => JSON.parse(line))[0]).toMatchObject({
    msg: 'started',
    words: ['check', './a', '--json', '--log-level', 'debug', '--log-file', 'logs/earlier.log'],
  });
});

it('[I-3] without a file the log goes to standard error', async () => {
  const { code, out, err } = await flow(['check', './a', '--json', '--log-level', 'debug']);
  expect(code).toBe(0);
  expect(err).toContain('started');
  expect(out.toString()).not.toContain('started');
});
