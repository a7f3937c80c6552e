import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';
import { moduleOfJsoncParser, namesOfCommonJs } from '../../../scripts/lib/bundle-plugins.mjs';

/** The command, bundled into a folder of its own, so that a test needs no earlier build. */
export interface Bundle {
  /** Removed by `remove`; tests may plant beside it. */
  readonly folder: string;
  readonly bin: string;
  remove(): void;
}

export interface Ended {
  readonly code: number | null;
  readonly out: Buffer;
  readonly err: string;
}

export async function bundle(version = '9.9.9'): Promise<Bundle> {
  const folder = mkdtempSync(join(tmpdir(), 'w-'));
  await build({
    entryPoints: [join(import.meta.dirname, '../../src/cli/bin.ts')],
    outdir: join(folder, 'dist'),
    outExtension: { '.js': '.mjs' },
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    external: ['sh-syntax'],
    plugins: [moduleOfJsoncParser, namesOfCommonJs],
    define: { FLOW_VERSION: JSON.stringify(version) },
    banner: { js: "import{createRequire as makeRequire}from'node:module';const require=makeRequire(import.meta.url);" },
    logLevel: 'silent',
  });
  return { folder, bin: join(folder, 'dist/bin.mjs'), remove: () => rmSync(folder, { recursive: true, force: true }) };
}

export interface Start {
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Written to standard input, which is then closed. */
  readonly input?: string;
  /** Leaves standard input open, without a byte. */
  readonly open?: boolean;
  /** Is given the process as soon as it runs. */
  readonly meet?: (child: ChildProcess) => void;
}

/** Runs the bundled command with a home of its own, without the caller's keys. */
export function flow(
  { folder, bin }: Bundle,
  words: readonly string[],
  { cwd = folder, env = {}, input = '', open = false, meet }: Start = {},
): Promise<Ended> {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [bin, ...words], {
      cwd,
      stdio: ['pipe', 'pipe', 'pipe'],
      env: {
        PATH: process.env['PATH'] ?? '',
        HOME: folder,
        FLOW_HOME: join(folder, 'home'),
        XDG_CACHE_HOME: join(folder, 'cache'),
        ...env,
      },
    });
    const out: Buffer[] = [];
    const err: Buffer[] = [];
    child.stdout.on('data', (data: Buffer) => out.push(data));
    child.stderr.on('data', (data: Buffer) => err.push(data));
    child.stdin.on('error', () => {});
    if (!open) child.stdin.end(input);
    meet?.(child);
    child.on('close', (code) => {
      child.stdin.destroy();
      resolve({ code, out: Buffer.concat(out), err: Buffer.concat(err).toString() });
    });
  });
}
