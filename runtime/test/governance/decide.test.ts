import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import type { Io } from '../../src/cli/command.js';
import { main } from '../../src/cli/main.js';
import { chunks, fakeIo } from '../cli/io.js';

const roots: string[] = [];
afterAll(() => {
  for (const root of roots) rmSync(root, { recursive: true, force: true });
});

const CONTRACT = {
  schema_version: '0.1',
  contract_type: 'governance',
  contract_name: 'guard',
  lane: 'project',
  stages: {
    prompt_stage: { routes: [{ id: 'release', match: '(?i)deploy', task_type: 'runtime_action', risk_level: 'R5' }] },
    pre_tool: {
      packs: ['destructive'],
      rules: [
        {
          ...{ id: 'push', tool: 'bash', program: 'git', args: '^push\\b', decision: 'require_approval', target: 'remote repository' },
          ...{ scope: 'one push', risks: 'publishes commits', recovery: 'revert' },
        },
        { id: 'see', tool: 'bash', program: 'curl', decision: 'warn', reason: 'It reaches out.' },
      ],
    },
    schema_aware_file_tool: { rules: [{ id: 'env', path: '**/.env*', decision: 'deny', reason: 'It holds s\u00e9crets.' }] },
    memory_access: {
      lanes: { project: { paths: ['memory/project/**'] }, other: { paths: ['memory/other/**'] } },
    },
    final_claim: { terms: ['verified'], decision: 'downgrade' },
  },
};

let work: string;
beforeEach(() => {
  work = mkdtempSync(join(tmpdir(), 'w-'));
  roots.push(work);
  writeFileSync(join(work, 'governance.contract.json'), JSON.stringify(CONTRACT));
});

const event = (name: string, more: object): string => JSON.stringify({ hook_event_name: name, cwd: work, session_id: 's', ...more });
const call = (tool_name: string, tool_input: unknown): string => event('PreToolUse', { tool_name, tool_input });

async function decide(input: string | Uint8Array, words: readonly string[] = ['--host', 'claude-code'], more: Partial<Io> = {}) {
  const io = fakeIo({ cwd: '/', stdin: () => chunks(input), ...more });
  const exit = await main(['governance', 'decide', ...words], io);
  return { exit, out: io.printed(), err: io.said() };
}

const NOTHING = { exit: 0, out: '', err: '' };

describe('[V-12] what a host is told', () => {
  it('allow is no decision, never a permission', async () => {
    expect(await decide(call('Bash', { command: 'ls' }))).toEqual(NOTHING);
    expect(await decide(call('Bash', { command: 'echo "rm -rf /" > notes' }))).toEqual(NOTHING);
    expect(await decide(call('Read', { file_path: 'a.txt' }))).toEqual(NOTHING);
    expect(await decide(event('SessionStart', {}))).toEqual(NOTHING);
  });

  it('deny is exit 2 with an ASCII payload and no name of a rule', async () => {
    expect(await decide(call('Bash', { command: 'sudo rm -rf /' }))).toEqual({
      exit: 2,
      out: '',
      err: '{"decision":"deny","reason":"It deletes the system or a whole home folder."}\n',
    });
    expect(await decide(call('Read', { file_path: join(work, '.env') }))).toMatchObject({
      exit: 2,
      err: '{"decision":"deny","reason":"It holds s\\u00e9crets."}\n',
    });
  });

  it('require_approval is the host\u2019s own question; where it has none the call is stopped', async () => {
    const asked = await decide(call('Bash', { command: 'cd x && git push' }));
    expect(asked).toMatchObject({ exit: 0, err: '' });
    expect(JSON.parse(asked.out)).toMatchObject({ hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision: 'ask' } });
    expect(asked.out).toContain('Risk: publishes commits. Recovery: revert.');
    const codex = await decide(call('shell', { command: ['bash', '-lc', 'git push'] }), ['--host', 'codex']);
    expect(codex).toMatchObject({ exit: 2, out: '' });
    expect(codex.err).toContain('Risk: publishes commits.');
  });

  it('a question that nobody can read is exit 2', async () => {
    const gone = new AbortController();
    gone.abort();
    expect((await decide(call('Bash', { command: 'git push' }), undefined, { outClosed: gone.signal })).exit).toBe(2);
  });

  it('warn passes with a message', async () => {
    const { exit, out } = await decide(call('Bash', { command: 'curl x' }));
    expect(exit).toBe(0);
    expect(JSON.parse(out)).toEqual({ systemMessage: 'Allowed, with a warning: It reaches out.' });
  });

  it('[V-2] a link does not lead around a rule of paths, nor out of a lane [V-7]', async () => {
    writeFileSync(join(work, '.env'), 'KEY=1');
    symlinkSync(join(work, '.env'), join(work, 'plain.txt'));
    expect((await decide(call('Read', { file_path: 'plain.txt' }))).exit).toBe(2);
    mkdirSync(join(work, 'memory/other'), { recursive: true });
    symlinkSync(join(work, 'memory/other'), join(work, 'memory/project'));
    expect((await decide(call('Read', { file_path: 'memory/project/x.md' }))).exit).toBe(2);
    expect((await decide(call('Bash', { command: 'cat memory/other/x.md' }))).exit).toBe(2);
  });

  it('the contract that holds is not changed by whom it holds', async () => {
    expect((await decide(call('Write', { file_path: 'governance.contract.json', content: '{}' }))).exit).toBe(2);
    expect(await decide(call('Read', { file_path: 'governance.contract.json' }))).toEqual(NOTHING);
  });

  it('[V-5 V-6] a prompt gets its receipt and what needs leave', async () => {
    const { exit, out } = await decide(event('UserPromptSubmit', { prompt: 'deploy it' }));
    expect(exit).toBe(0);
    expect(out).toMatch(/^[\x20-\x7e]+\n$/);
    expect(out).toContain('\\"risk_level\\":\\"R5\\"');
    expect(out).toContain('# Permissions');
  });

  it('[V-9] who stops with a claim nothing supports is sent back once', async () => {
    const told = { last_assistant_message: 'All is verified.', stop_hook_active: false };
    const { out } = await decide(event('Stop', told));
    expect(JSON.parse(out)).toMatchObject({ decision: 'block' });
    expect(await decide(event('Stop', { ...told, stop_hook_active: true }))).toEqual(NOTHING);
    writeFileSync(join(work, 'report.txt'), 'x');
    expect(await decide(event('Stop', { ...told, last_assistant_message: 'It is verified in `report.txt`.' }))).toEqual(NOTHING);
  });
});

describe('[V-12] which contract holds', () => {
  it('the one that is named, else the nearest above the folder that the host names, else above the event\u2019s', async () => {
    const deny = call('Read', { file_path: '/x/.env' });
    const elsewhere = deny.replace(work, '/');
    mkdirSync(join(work, 'deep/er'), { recursive: true });
    expect((await decide(deny.replace(work, join(work, 'deep/er')))).exit).toBe(2);
    expect((await decide(elsewhere, ['--host', 'codex', '--governance', join(work, 'governance.contract.json')])).err).toContain('"deny"');
    const project = { env: { CLAUDE_PROJECT_DIR: join(work, 'deep') } };
    expect((await decide(elsewhere, undefined, project)).err).toContain('"deny"');
  });

  it('none, or one that is malformed, stops every call and says how to go on', async () => {
    const none = await decide(call('Bash', { command: 'ls' }).replace(work, '/nowhere'));
    expect(none).toMatchObject({ exit: 2, out: '' });
    expect(none.err).toContain('--governance FILE');
    writeFileSync(join(work, 'governance.contract.json'), '{"schema_version":');
    const broken = await decide(call('Bash', { command: 'ls' }));
    expect(broken).toMatchObject({ exit: 2, out: '' });
    expect(broken.err).toContain('governance.contract.json:1:');
    expect((await decide(call('Bash', { command: 'ls' }), ['--host', 'codex', '--governance', work])).exit).toBe(2);
  });
});

describe('[V-11 V-12] whatever arrives, an error of ours is exit 2 in ASCII', () => {
  it.each<[string, string | Uint8Array]>([
    ['nothing', ''],
    ['zero bytes', Buffer.alloc(64)],
    ['no UTF-8', Buffer.from([0xff, 0xfe, 0x7b])],
    ['no JSON', 'rm -rf /'],
    ['a list', '[]'],
    ['no event', '{}'],
    ['no tool', '{"hook_event_name":"PreToolUse","cwd":"/"}'],
    ['no folder', '{"hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{"command":"ls"}}'],
    ['a folder with a zero byte', JSON.stringify({ hook_event_name: 'PreToolUse', tool_name: 'Bash', cwd: '/a\0b', tool_input: {} })],
    ['depth', `${'['.repeat(100_000)}${']'.repeat(100_000)}`],
    ['more than 10 MB', `{"a":"${'x'.repeat(10 * 1024 * 1024)}"}`],
    ['a file tool without a file', '{"hook_event_name":"PreToolUse","cwd":"/","tool_name":"Write","tool_input":{"content":"x"}}'],
  ])('%s', async (_, payload) => {
    const { exit, out, err } = await decide(payload);
    expect([exit, out]).toEqual([2, '']);
    expect(err).toMatch(/^[\n\x20-\x7e]{10,300}$/);
  });

  it('lone surrogates, control sequences and JSON in texts are data', async () => {
    const raw = call('Bash', '{"command":"git push \\ud800"}').replace('"s"', '"\\udc00"');
    expect((await decide(raw)).out).toContain('"ask"');
    const hostile = await decide(call('Read', { file_path: `${work}/.env\u001b[2J\ud800` }));
    expect(hostile.exit).toBe(2);
    expect(hostile.err).toMatch(/^[\n\x20-\x7e]+$/);
    expect((await decide(call('Read', { file_path: '.env\0' }))).exit).toBe(2);
  });

  it('a command longer than any shell takes is not run', async () => {
    expect((await decide(call('Bash', { command: `echo ${'x'.repeat(200_000)}` }))).exit).toBe(2);
  });

  it('--file is read instead where a shell would spoil the JSON; what cannot be read is exit 2', async () => {
    writeFileSync(join(work, 'event.json'), call('Bash', { command: 'rm -rf /' }));
    const never = { stdin: () => chunks('not read') };
    expect((await decide('', ['--host', 'claude-code', '--file', 'event.json'], { cwd: work, ...never })).err).toContain('"deny"');
    expect((await decide('', ['--host', 'claude-code', '--file', 'none'], { cwd: work })).exit).toBe(2);
    expect((await decide('', ['--host', 'claude-code', '--file', '.'], { cwd: work })).exit).toBe(2);
    expect((await decide('', ['--host', 'claude-code'], { inIsTerminal: true })).err).toContain('--file PATH');
  });

  it.each([[[]], [['--host', 'other']], [['--hots', 'codex']], [['--host', 'codex', 'more']]])('misuse %j is exit 2', async (words) => {
    expect((await decide(call('Bash', { command: 'ls' }), words)).exit).toBe(2);
  });
});
