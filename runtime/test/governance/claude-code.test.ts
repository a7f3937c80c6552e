/** The hook in the real client, against a server that speaks its wire. `CLAUDE_CODE=PATH` or a `claude` on PATH; skipped without one. */
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WIRES } from '../../../scripts/lib/wires.mjs';
import { bundle, type Bundle } from '../cli/bundle.js';
import { answering, stream } from '../models/loopback.js';

const client = process.env['CLAUDE_CODE'] ?? onPath('claude');

function onPath(name: string): string | undefined {
  const found = spawnSync('sh', ['-c', `command -v ${name}`], { encoding: 'utf8' });
  return found.status === 0 ? found.stdout.trim() : undefined;
}

const CONTRACT = {
  schema_version: '0.1',
  contract_type: 'governance',
  contract_name: 'touch',
  stages: {
    pre_tool: {
      rules: [
        { id: 'denied', tool: 'bash', program: 'touch', args: 'denied', decision: 'deny', reason: 'This file is not made.' },
        {
          ...{ id: 'asked', tool: 'bash', program: 'touch', args: 'asked', decision: 'require_approval' },
          ...{ target: 'a file', scope: 'one', risks: 'a file too many', recovery: 'rm' },
        },
      ],
    },
    schema_aware_file_tool: { rules: [{ id: 'env', path: '**/*.secret', decision: 'deny', reason: 'It is secret.' }] },
  },
};

describe.skipIf(client === undefined)(
  'a Claude Code client whose hook is `flow governance decide` (skipped: no CLAUDE_CODE and no claude on PATH)',
  () => {
    let built: Bundle;
    let work: string;
    beforeAll(async () => {
      built = await bundle();
      symlinkSync(join(import.meta.dirname, '../../../node_modules'), join(built.folder, 'node_modules'));
      work = mkdtempSync(join(tmpdir(), 'w-'));
      mkdirSync(join(work, 'home'));
    });
    afterAll(() => {
      built.remove();
      rmSync(work, { recursive: true, force: true });
    });

    it(
      '[V-12 V-10] does not run what is denied or must be asked, runs what is allowed, and tells the agent why',
      { timeout: 180_000 },
      async () => {
        writeFileSync(join(work, 'governance.contract.json'), JSON.stringify(CONTRACT));
        const hook = `${process.execPath} ${built.bin} governance decide --host claude-code --governance ${work}/governance.contract.json || exit 2`;
        const settings = { hooks: { PreToolUse: [{ matcher: '*', hooks: [{ type: 'command', command: hook }] }] } };
        writeFileSync(join(work, 'settings.json'), JSON.stringify(settings));

        const calls = [
          ['Bash', { command: 'touch denied', description: 'a' }],
          ['Bash', { command: 'touch asked', description: 'b' }],
          ['Write', { file_path: join(work, 'a.secret'), content: 'x' }],
          ['Bash', { command: 'touch allowed', description: 'c' }],
          ['Write', { file_path: join(work, 'plain.txt'), content: 'x' }],
        ] as const;
        let asked = 0;
        const server = await answering((index) => (response) => {
          const works = JSON.stringify(server.seen[index]?.body).includes('"name":"Bash"');
          const call = works ? calls[asked++] : undefined;
          const said =
            call === undefined ? { text: 'done' } : { calls: [{ id: `toolu_${asked}`, name: call[0], pieces: [JSON.stringify(call[1])] }] };
          stream(WIRES.anthropic.answer(said))(response);
        });
        const ended = await start(server.url);
        await server.close();

        const told = JSON.stringify(server.seen.map(({ body }) => body));
        expect(ended.code, ended.err + ended.out).toBe(0);
        expect(asked).toBeGreaterThanOrEqual(calls.length);
        expect(existsSync(join(work, 'denied'))).toBe(false);
        expect(existsSync(join(work, 'asked'))).toBe(false);
        expect(existsSync(join(work, 'a.secret'))).toBe(false);
        expect(existsSync(join(work, 'allowed'))).toBe(true);
        expect(readFileSync(join(work, 'plain.txt'), 'utf8')).toBe('x');
        expect(told).toContain('This file is not made.');
        expect(told).toContain('It is secret.');
      },
    );

    function start(url: string): Promise<{ code: number | null; out: string; err: string }> {
      const words = ['-p', 'make the files', '--settings', join(work, 'settings.json'), '--allowedTools', 'Bash,Write'];
      return new Promise((resolve) => {
        const child = spawn(client ?? '', words, {
          cwd: work,
          stdio: ['ignore', 'pipe', 'pipe'],
          env: {
            PATH: process.env['PATH'] ?? '',
            HOME: join(work, 'home'),
            ANTHROPIC_BASE_URL: url,
            ANTHROPIC_API_KEY: 'sk-ant-none',
            CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
            DISABLE_AUTOUPDATER: '1',
          },
        });
        const ended = { out: '', err: '' };
        child.stdout.on('data', (data: Buffer) => (ended.out += data.toString()));
        child.stderr.on('data', (data: Buffer) => (ended.err += data.toString()));
        child.on('error', (error) => resolve({ code: null, ...ended, err: error.message }));
        child.on('close', (code) => resolve({ code, ...ended }));
      });
    }
  },
);
