import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DECISIONS, canonicalTool, decide, decideMemory, denialPayload, indexOf, isMemory, strictest, verdictOf } from '../src/index.js';
import { bash, contractOf, file, said } from './contract.js';

const RISKS = { risks: 'r', recovery: 'c' };

describe('[V-2] rules', () => {
  it('the strictest of all that fit wins, and says why in order', async () => {
    const contract = await contractOf({
      pre_tool: {
        rules: [
          { id: 'all', tool: 'bash', decision: 'warn' },
          { id: 'git', program: 'git', decision: 'require_approval', ...RISKS },
          { id: 'push', program: 'git', args: '^push\\b', decision: 'deny', reason: 'no' },
        ],
      },
    });
    expect(said(await bash(contract, 'ls'))).toBe('warn all');
    expect(said(await bash(contract, 'git status'))).toBe('require_approval git');
    const verdict = await bash(contract, 'git push');
    expect(verdict.hits.map(({ id }) => id)).toEqual(['push', 'git', 'all']);
    expect(verdict.hits[1]).toMatchObject({ risks: 'r', recovery: 'c', matched: 'git push' });
  });

  it('strictest is the same whatever the order', () => {
    const decisions = fc.array(fc.constantFrom(...DECISIONS), { maxLength: 8 });
    fc.assert(
      fc.property(decisions, (given) => {
        const highest = DECISIONS[Math.max(0, ...given.map((decision) => DECISIONS.indexOf(decision)))];
        for (const order of [given, [...given].reverse(), [...given].sort()]) {
          expect(strictest(order)).toBe(highest);
          expect(verdictOf(order.map((decision, index) => ({ id: `${index}`, decision, reason: 'r' }))).decision).toBe(highest);
        }
      }),
    );
  });

  it.each(['Bash', 'PowerShell', 'shell', 'exec_command', 'local_shell'])('knows %s as bash', async (tool) => {
    const contract = await contractOf({ pre_tool: { rules: [{ id: 'a', tool: 'Bash|PowerShell', program: 'git', decision: 'deny' }] } });
    expect(canonicalTool(tool)).toBe('bash');
    expect(said(await bash(contract, 'git log', tool))).toBe('deny a');
  });

  it('a tool that is nothing known is judged by its name and its arguments', async () => {
    const contract = await contractOf({
      pre_tool: {
        rules: [
          { id: 'merge', tool: 'mcp__github__*', text: '(?i)merge', decision: 'deny' },
          { id: 'keys', path: '**/.ssh/**', decision: 'deny' },
        ],
      },
    });
    const call = (tool: string, given: unknown) => said(decide(contract, { stage: 'pre_tool', tool, arguments: given }));
    expect(call('mcp__github__merge', { do: 'Merge' })).toBe('deny merge');
    expect(call('mcp__github__merge', { do: 'look' })).toBe('allow');
    expect(call('mcp__gitlab__x', { do: 'Merge' })).toBe('allow');
    expect(call('mcp__fs__read', { files: [{ name: '/home/a/.ssh/id' }] })).toBe('deny keys');
  });

  it.each([
    ['TodoWrite', { todos: [{ content: '.env', activeForm: '.env', status: 'pending' }] }, 'allow'],
    ['Task', { description: '.env', prompt: 'Look at what is missing in /app/.env', subagent_type: 'any' }, 'allow'],
    ['update_plan', { explanation: '.env', plan: [{ step: 'see /app/.env', status: 'pending' }] }, 'allow'],
    ['mcp__fs__write_file', { path: 'notes.md', content: '/app/.env' }, 'allow'],
    ['mcp__any__send', { content: ['.env', ['/app/.env']], 'Active-Form': '.env' }, 'allow'],
    ['mcp__fs__write_file', { path: '/app/.env', content: 'x' }, 'deny env'],
    ['mcp__any__get', { resource: '/app/.env' }, 'deny env'],
    ['mcp__any__get', { content: [{ uri: '/app/.env' }] }, 'deny env'],
    ['mcp__any__get', { plan: { from: ['.env'] } }, 'deny env'],
    ['mcp__any__get', ['.env'], 'deny env'],
    ['mcp__any__get', '.env', 'deny env'],
  ])('[V-2 V-3] a path is looked for where a call of %s may name a place: %j is %s', async (tool, given, expected) => {
    const contract = await contractOf({ pre_tool: { rules: [{ id: 'env', path: '**/.env', decision: 'deny' }] } });
    expect(said(decide(contract, { stage: 'pre_tool', tool, arguments: given }))).toBe(expected);
  });

  it('exceptions lift one rule of a pack', async () => {
    const strict = await contractOf({ pre_tool: { packs: ['install'] } });
    const loose = await contractOf({ pre_tool: { packs: [{ name: 'install', except: ['npm-ci'] }] } });
    expect(said(await bash(strict, 'npm ci'))).toBe('require_approval install/npm-ci');
    expect(said(await bash(loose, 'npm ci'))).toBe('allow');
    expect(said(await bash(loose, 'npm install left-pad'))).toBe('require_approval install/npm-install');
  });
});

describe('[V-3] commands', () => {
  const stages = {
    pre_tool: {
      rules: [
        { id: 'rm', program: 'rm', decision: 'warn' },
        { id: 'push', program: 'git', args: '^push\\b', decision: 'require_approval', ...RISKS },
      ],
    },
  };

  it.each([
    ['true && rm x', 'warn rm'],
    ['echo $(rm x)', 'warn rm'],
    ["bash -c 'cd /; rm x'", 'warn rm'],
    ['ls | xargs rm', 'warn rm'],
    ['/bin/rm x', 'warn rm'],
    ['sudo -u a git -C d push', 'require_approval push'],
    ['echo "rm -rf /"', 'allow'],
    ["git commit -m 'rm and push'", 'allow'],
    ['cat <<E\nrm x\nE\n', 'allow'],
  ])('%j is %s', async (text, expected) => {
    expect(said(await bash(await contractOf(stages), text))).toBe(expected);
  });

  it('what cannot be parsed is judged on its text, one step stricter', async () => {
    const contract = await contractOf(stages);
    expect(said(await bash(contract, 'rm x "'))).toBe('require_approval rm');
    expect(said(await bash(contract, 'git push origin ('))).toBe('deny push');
    const unknown = await bash(contract, 'ls (');
    expect(said(unknown)).toBe('warn unread-command');
    expect((await bash(contract, 'rm x "')).hits[0]).toMatchObject({ risks: expect.any(String), recovery: expect.any(String) });
  });

  it('a pattern that runs out of time counts as found, one step stricter, and is asked once', async () => {
    const contract = await contractOf({ pre_tool: { rules: [{ id: 'slow', text: '^(a+)+(?!.)$', decision: 'warn' }] } });
    const hostile = `${'a'.repeat(40)}!`;
    const verdict = await bash(contract, Array.from({ length: 5 }, () => hostile).join('; '));
    expect(said(verdict)).toBe('require_approval slow');
    expect(verdict.hits[0]?.reason).toContain('took too long');
  });

  it('file tools are judged by path and operation, never by what they write', async () => {
    const contract = await contractOf({
      pre_tool: {
        packs: ['destructive'],
        rules: [
          { id: 'text', text: 'rm -rf', decision: 'deny' },
          { id: 'no-edits', tool: 'edit', decision: 'require_approval', ...RISKS },
        ],
      },
      schema_aware_file_tool: { packs: ['credentials'], rules: [{ id: 'env', tool: 'read|write', path: '**/.env*', decision: 'deny' }] },
    });
    expect(said(file(contract, 'write', ['README.md']))).toBe('allow');
    expect(said(file(contract, 'write', ['.env.example']))).toBe('deny env');
    expect(said(file(contract, 'read', ['a/../.env'], 'Read'))).toBe('deny credentials/env-files,env');
    expect(said(file(contract, 'edit', ['x.ts'], 'MultiEdit'))).toBe('require_approval no-edits');
    expect(said(file(contract, 'read', ['id', '/home/a/.ssh/id_rsa']))).toBe('deny credentials/ssh,credentials/key-files');
  });
});

it('[V-4] a denial is ASCII JSON without the name of a rule', async () => {
  const contract = await contractOf({
    pre_tool: { rules: [{ id: 'secret-rule', program: 'x', decision: 'deny', reason: 'nicht für „dich“ 😀' }] },
  });
  const payload = denialPayload(await bash(contract, 'x'));
  expect(payload).toMatch(/^[ -~]*$/);
  expect(JSON.parse(payload)).toEqual({ decision: 'deny', reason: 'nicht für „dich“ 😀' });
});

describe('[V-7] memory', () => {
  const lanes = {
    project: { paths: ['memory/project/**'], index: 'memory/project/_INDEX.md' },
    other: { paths: ['memory/other/**'], index: 'memory/other/_INDEX.md' },
  };
  const event = (operation: 'read' | 'write' | 'edit', path: string, indexesRead: readonly string[] = []) =>
    ({ stage: 'memory_access', operation, paths: [path], lane: null, indexesRead }) as const;

  it.each([
    ['read', 'src/a.ts', [], 'allow'],
    ['read', 'memory/project/_INDEX.md', [], 'allow'],
    ['read', 'memory/project/a.md', [], 'deny memory/meta_first'],
    ['read', 'memory/project/a.md', ['memory/project/_INDEX.md'], 'allow'],
    ['write', 'memory/project/a.md', ['./memory/project/_INDEX.md'], 'allow'],
    ['read', 'memory/project/../other/a.md', ['memory/project/_INDEX.md'], 'deny memory/lanes'],
    ['read', 'memory/other/_INDEX.md', [], 'cross_reference_allowed'],
    ['edit', 'memory/other/_INDEX.md', [], 'deny memory/lanes'],
    ['read', 'memory/other/a.md', ['memory/other/_INDEX.md'], 'deny memory/lanes'],
  ] as const)('%s %s after %j is %s', async (operation, path, read, expected) => {
    const contract = await contractOf({ memory_access: { meta_first: true, lanes } }, { lane: 'project' });
    const { decision, hits } = decideMemory(contract.memory, event(operation, path, read));
    expect([decision, ...hits.map(({ id }) => id)].join(' ')).toBe(expected);
    expect(decide(contract, event(operation, path, read)).decision).toBe(decision === 'deny' ? 'deny' : 'allow');
  });

  it('a run without a lane has no memory, and which index was read can be told', async () => {
    const { memory } = await contractOf({ memory_access: { lanes } });
    expect(decideMemory(memory, event('read', 'memory/project/a.md')).decision).toBe('deny');
    expect(indexOf(memory, ['x', './memory/other/_INDEX.md'])).toBe('memory/other/_INDEX.md');
    expect([isMemory(memory, ['memory/other/b']), isMemory(memory, ['memory/third/b'])]).toEqual([true, false]);
  });
});
