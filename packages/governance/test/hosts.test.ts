import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import {
  HOST_FORMS,
  HOST_NAMES,
  NO_DECISION,
  callAnswer,
  decide,
  failureAnswer,
  parsePayload,
  promptAnswer,
  readHostEvent,
  stopAnswer,
  verdictOf,
} from '../src/index.js';
import type { HostEvent, HostName } from '../src/index.js';
import { bash, contractOf } from './contract.js';

const BASE = { session_id: 's', transcript_path: '/t.jsonl', cwd: '/work' };
const call = (tool_name: string, tool_input: unknown, more: object = {}) => ({
  ...BASE,
  hook_event_name: 'PreToolUse',
  tool_name,
  tool_input,
  ...more,
});

function read(payload: unknown): HostEvent {
  const result = readHostEvent(payload);
  if (!result.ok) throw new Error(result.message);
  return result.event;
}

/** Every file event as `operation paths`. */
const files = (payload: unknown) => {
  const event = read(payload);
  return event.is === 'call'
    ? event.calls.map((each) => (each.is === 'file' ? `${each.event.operation} ${each.event.paths.join(' ')}` : each.is))
    : [];
};

describe('[V-12] what a host asks', () => {
  it('a shell command is data until it is read', () => {
    expect(read(call('Bash', { command: 'rm -rf /', description: 'clean' }))).toEqual({
      is: 'call',
      name: 'PreToolUse',
      calls: [
        {
          is: 'command',
          event: { stage: 'pre_tool', tool: 'Bash', arguments: { command: 'rm -rf /', description: 'clean' } },
          commandText: 'rm -rf /',
        },
      ],
    });
    expect(read(call('shell', { command: ['bash', '-lc', "echo 'a b'"] }))).toMatchObject({
      calls: [{ commandText: `bash -lc 'echo '\\''a b'\\'''` }],
    });
    expect(read(call('Bash', JSON.stringify({ command: 'ls' })))).toMatchObject({ calls: [{ commandText: 'ls' }] });
    expect(read(call('Bash', 'ls'))).toMatchObject({ calls: [{ commandText: 'ls' }] });
  });

  it('a command that is not there is judged as a text nobody can read', async () => {
    const event = read(call('Bash', { argv: 'git push' }));
    const contract = await contractOf({ pre_tool: { rules: [{ id: 'push', program: 'git', decision: 'warn' }] } });
    expect(event).toMatchObject({ calls: [{ is: 'tool', event: { command: { read: { ok: false } } } }] });
    const first = event.is === 'call' ? event.calls[0] : undefined;
    expect(first?.is === 'tool' && decide(contract, first.event).decision).toBe('require_approval');
  });

  it.each([
    ['Read', { file_path: '/work/.env' }, ['read /work/.env .env']],
    ['Write', { file_path: 'a/../b', content: 'rm -rf /' }, ['write a/../b /work/b b']],
    ['MultiEdit', { file_path: '/etc/x', edits: [{ old_string: 'a' }] }, ['edit /etc/x']],
    ['NotebookEdit', { notebook_path: '/work/a.ipynb' }, ['edit /work/a.ipynb a.ipynb']],
    ['str_replace_based_edit_tool', { command: 'view', path: '/work/a' }, ['read /work/a a']],
    ['Grep', { pattern: 'KEY', path: '/work/.env' }, ['read /work/.env .env']],
    ['Grep', { pattern: 'KEY', glob: '.env*' }, ['read .env* /work/.env*']],
    ['Grep', { pattern: 'KEY' }, ['read /work']],
    [
      'apply_patch',
      {
        command:
          '*** Begin Patch\n*** Update File: a.ts\n@@\n-x\n+*** y\n*** Add File: .env\n+A=1\n*** Delete File: old\n*** Move to: new\n*** End Patch\n',
      },
      ['edit a.ts /work/a.ts', 'write .env /work/.env', 'edit old /work/old', 'write new /work/new'],
    ],
  ])('%s %j reaches for %j', (tool, input, expected) => {
    expect(files(call(tool, input))).toEqual(expected);
  });

  it('a prompt is bounded, a stop is an output, the rest is nothing to decide', () => {
    expect(read({ ...BASE, hook_event_name: 'UserPromptSubmit', prompt: 'x'.repeat(20_000) })).toMatchObject({
      is: 'prompt',
      text: 'x'.repeat(16 * 1024),
    });
    expect(read({ ...BASE, hook_event_name: 'Stop', stop_hook_active: true, last_assistant_message: 'Done.' })).toEqual({
      is: 'stop',
      name: 'Stop',
      output: 'Done.',
      again: true,
    });
    expect(read({ ...BASE, hook_event_name: 'Stop', stop_hook_active: false, last_assistant_message: null })).toMatchObject({
      output: '',
      again: false,
    });
    expect(read({ ...BASE, hook_event_name: 'PostToolUse' })).toEqual({ is: 'other', name: 'PostToolUse' });
  });

  it.each([
    [[]],
    [null],
    [{}],
    [{ hook_event_name: 'PreToolUse' }],
    [{ hook_event_name: 'UserPromptSubmit' }],
    [call('Write', {})],
    [call('Write', null)],
  ])('%j cannot be understood', (payload) => {
    expect(readHostEvent(payload).ok).toBe(false);
  });
});

describe('[V-12] how a host is answered', () => {
  const event = read(call('Bash', { command: 'git push' }));
  const asking = {
    id: 'push',
    program: 'git',
    args: '^push\\b',
    decision: 'require_approval',
    target: 'remote',
    scope: 'one push',
    risks: 'publishes “all”',
    recovery: 'revert',
  };

  it.each(HOST_NAMES)('%s: allow is no decision, never a permission', (host) => {
    expect(callAnswer(host, event, verdictOf([]))).toEqual({ stdout: '', stderr: '', exitCode: 0 });
    expect(NO_DECISION.stdout).toBe('');
  });

  it.each(HOST_NAMES)('%s: deny is exit 2 with the payload on standard error', async (host) => {
    const contract = await contractOf({ pre_tool: { rules: [{ id: 'x', program: 'git', decision: 'deny', reason: 'nein – nie' }] } });
    const answer = callAnswer(host, event, await bash(contract, 'git push'));
    expect(answer).toMatchObject({ stdout: '', exitCode: 2 });
    expect(answer.stderr).toMatch(/^[ -~]+\n$/);
    expect(new Ajv2020().compile(HOST_FORMS[host].denialSchema)(JSON.parse(answer.stderr))).toBe(true);
  });

  it('claude-code asks by itself, codex cannot and is stopped', async () => {
    const verdict = await bash(await contractOf({ pre_tool: { rules: [asking] } }), 'git push');
    const claude = callAnswer('claude-code', event, verdict);
    expect(claude).toMatchObject({ exitCode: 0, stderr: '' });
    expect(JSON.parse(claude.stdout)).toEqual({
      hookSpecificOutput: {
        hookEventName: 'PreToolUse',
        permissionDecision: 'ask',
        permissionDecisionReason: 'It reaches for: remote. Target: remote (one push). Risk: publishes “all”. Recovery: revert.',
      },
    });
    const codex = callAnswer('codex', event, verdict);
    expect(codex).toMatchObject({ exitCode: 2, stdout: '' });
    expect(codex.stderr).toMatch(/^[ -~]+\n$/);
    expect(codex.stderr).toContain('Risk: publishes');
    expect(claude.stdout).toMatch(/^[ -~]+\n$/);
  });

  it('where the host asks already it is not told to ask again', async () => {
    const permission = read({ ...call('Bash', { command: 'git push' }), hook_event_name: 'PermissionRequest' });
    const verdict = await bash(await contractOf({ pre_tool: { rules: [asking] } }), 'git push');
    expect(JSON.parse(callAnswer('claude-code', permission, verdict).stdout)).toHaveProperty('systemMessage');
    expect(callAnswer('codex', permission, verdict).exitCode).toBe(2);
  });

  it.each(HOST_NAMES)('%s: a warning passes and is said', (host: HostName) => {
    const answer = callAnswer(host, event, verdictOf([{ id: 'w', decision: 'warn', reason: 'careful' }]));
    expect([answer.exitCode, JSON.parse(answer.stdout)]).toEqual([0, { systemMessage: 'Allowed, with a warning: careful' }]);
  });

  it('what goes wrong here stops the call and says so', () => {
    const read_ = parsePayload(Buffer.from('{'));
    expect(failureAnswer(read_.ok ? '' : read_.message)).toEqual({
      stdout: '',
      stderr: 'The payload is not JSON: it cannot be parsed.\n',
      exitCode: 2,
    });
  });

  it('a prompt gets its context, a stop is sent back', () => {
    expect(JSON.parse(promptAnswer('é').stdout)).toEqual({
      hookSpecificOutput: { hookEventName: 'UserPromptSubmit', additionalContext: 'é' },
    });
    expect(promptAnswer('')).toEqual(NO_DECISION);
    const claims = (decision: 'downgrade' | 'block') => ({ message: 'Support it.', decision });
    expect(JSON.parse(stopAnswer({ again: false }, claims('downgrade')).stdout)).toEqual({ decision: 'block', reason: 'Support it.' });
    expect(stopAnswer({ again: true }, claims('downgrade'))).toEqual(NO_DECISION);
    expect(stopAnswer({ again: true }, claims('block')).stdout).toContain('block');
    expect(stopAnswer({ again: false }, null)).toEqual(NO_DECISION);
  });
});
