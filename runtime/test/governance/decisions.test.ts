/** What a contract decides over calls of a run: on the path, in every run of the tree, and in its record. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { verifyRun } from '@gated-flow/record';
import { afterAll, describe, expect, it } from 'vitest';
import { calls, stage, stops, wrote } from '../run/ground.js';
import { clear, type Ended, type Ground, ground } from './ground.js';

afterAll(clear);

const rules = (...all: object[]): object => ({ pre_tool: { rules: all } });
const touch = (decision: string, more: object = {}): object => ({
  id: 'touch',
  tool: 'bash',
  program: 'touch',
  decision,
  reason: 'no touching',
  ...more,
});
const ONE = { '01-a.md': stage() };
const touches = calls('01-a', 'bash', { command: 'touch "$PWD/made"' });
const END = [wrote('01-a', 'ok'), stops('01-a')];

describe('[V-4] deny and warn', () => {
  it('[V-4 V-11] a denied call does not run; its result is ASCII and names no rule, and the record does', async () => {
    const at = ground(ONE, rules(touch('deny', { reason: 'не трогать' })));
    const run = await at.run([touches, wrote('01-a', 'ok', { expect: '{"decision":"deny","reason":"\\u043d\\u0435' }), stops('01-a')]);
    expect(run.cause).toBe('success');
    expect(at.left('made')).toBeNull();
    expect(run.told('governance')).toMatchObject([
      { stage: '01-a', stage_name: 'pre_tool', decision: 'deny', rule: 'touch', reason: 'не трогать', tool: 'bash' },
    ]);
    expect(run.told('tool_call')).toMatchObject([{ tool: 'bash', decision: 'denied' }]);
    const session = readFileSync(join(run.folder, 'stages/01-a/1/session.jsonl'), 'utf8');
    const [result = ''] = session.split('\n').filter((line) => line.includes('"kind":"tool"'));
    expect(result).toContain('\\"decision\\":\\"deny\\"');
    expect(result).not.toContain('rule');
    expect(result).not.toContain('touch');
  });

  it('[V-4] advice lets the call through', async () => {
    const at = ground(ONE, rules(touch('warn')));
    const run = await at.run([touches, ...END]);
    expect(at.left('made')).toBe('');
    expect(run.told('governance')).toMatchObject([{ decision: 'warn', rule: 'touch' }]);
    expect(run.told('tool_call')).toEqual([]);
  });

  it('[V-2] the strictest of all rules that fit decides, and only those that decide are named', async () => {
    const at = ground(ONE, rules(touch('warn'), touch('deny', { id: 'strict' }), touch('allow', { id: 'mild' })));
    const run = await at.run([touches, ...END]);
    expect(run.told('governance')).toMatchObject([{ decision: 'deny', rule: 'strict' }]);
  });

  it('[V-3] a file is judged by its path behind links and slots, and never by what is written', async () => {
    const at = ground(ONE, {
      pre_tool: { packs: ['destructive', 'credentials'] },
      schema_aware_file_tool: { rules: [{ id: 'env', tool: 'read|write|edit', path: '**/.env*', decision: 'deny', reason: 'secrets' }] },
    });
    const run = await at.run([
      calls('01-a', 'bash', { command: 'printf x > .env; ln -s .env plain' }),
      calls('01-a', 'write', { path: '$PWD/notes.md', content: 'never say: rm -rf / and cat .env' }),
      calls('01-a', 'bash', { command: 'mkdir -p d && ln -s ../.env d/plain' }),
      calls('01-a', 'read', { path: 'd/../.env' }, {}),
      ...END,
    ]);
    expect(run.cause).toBe('success');
    expect(at.left('notes.md')).toContain('rm -rf');
    expect(run.told('governance').filter(({ stage_name }) => stage_name === 'schema_aware_file_tool')).toMatchObject([
      { decision: 'deny', rule: 'env', tool: 'read' },
    ]);
  });

  it('[V-3] a link is what it leads to', async () => {
    const at = ground(ONE, { schema_aware_file_tool: { rules: [{ id: 'env', path: '**/.env*', decision: 'deny', reason: 'secrets' }] } });
    const run = await at.run([
      calls('01-a', 'bash', { command: 'echo x > .env; ln -s .env plain' }),
      calls('01-a', 'read', { path: 'plain' }),
      ...END,
    ]);
    expect(run.told('governance')).toMatchObject([{ decision: 'deny', rule: 'env', tool: 'read' }]);
  });

  it('[V-3] a megabyte of a command is denied before anybody looks at it', async () => {
    const at = ground(ONE, rules(touch('warn')));
    const run = await at.run([calls('01-a', 'bash', { command: `touch made ${'x'.repeat(1024 * 1024)}` }), ...END]);
    expect(run.cause).toBe('success');
    expect(at.left('made')).toBeNull();
    expect(run.told('governance')).toMatchObject([{ decision: 'deny', rule: 'unread-command' }]);
  });

  it('[V-2] rules on tools that nobody has here do nothing and break nothing', async () => {
    const at = ground(ONE, rules({ id: 'merge', tool: 'mcp__github__*|Deploy', decision: 'deny', reason: 'no' }));
    const run = await at.run([touches, ...END]);
    expect(run.cause).toBe('success');
    expect(at.left('made')).toBe('');
    expect(run.told('governance')).toEqual([]);
  });

  it('[V-2] a contract by --governance adds its rules, also to an assembly that has none of its own', async () => {
    const at = ground(ONE, rules());
    const file = join(at.root, 'more.json');
    writeFileSync(file, JSON.stringify({ contract_type: 'governance', contract_name: 'more', stages: rules(touch('deny')) }));
    const run = await at.run([touches, ...END], { governance: file });
    expect(at.left('made')).toBeNull();
    expect(run.told('run_start')).toMatchObject([{ asked: { governance: file } }]);
  });

  it('[V-4 G-7] holds in a run that a run calls, and stands in its record', async () => {
    const at = ground(ONE, rules(touch('deny')), {
      root: {
        'subflows/oracle/FLOW.md': '---\ndescription: Says something\n---\n',
        'subflows/oracle/01-say.md': stage(),
      },
    });
    const run = await at.run([
      calls('01-a', 'subflow', { calls: [{ flow: 'oracle', input: 'x' }] }),
      { ...calls('01-say', 'bash', { command: 'touch "$PWD/made"' }), flow: 'oracle' },
      { ...wrote('01-say', 'said', { expect: '"decision":"deny"' }), flow: 'oracle' },
      { ...stops('01-say'), flow: 'oracle' },
      ...END,
    ]);
    expect(run.cause).toBe('success');
    expect(at.left('made')).toBeNull();
    const child = readFileSync(join(run.folder, 'stages/01-a/1/1/subflows/1/record.jsonl'), 'utf8');
    expect(child).toContain('"event":"governance","stage":"01-say"');
    expect(await verifyRun(run.folder)).toMatchObject({ verified: true, differences: [] });
  });
});

describe('[V-5] # Permissions', () => {
  it('[V-5 P-2] tells what needs leave with target, risk and recovery, and nothing of who asks whom', async () => {
    const at = ground(
      ONE,
      rules(
        {
          id: 'push',
          program: 'git',
          args: '^push',
          decision: 'require_approval',
          target: 'remote',
          scope: 'one push',
          risks: 'is public',
          recovery: 'revert',
        },
        touch('deny'),
      ),
    );
    const run = await at.run(END);
    const system = readFileSync(join(run.folder, 'stages/01-a/1/system.txt'), 'utf8');
    const said = /# Permissions\n\n([^#]*)/.exec(system)?.[1] ?? '';
    expect(said).toContain('one call only');
    expect(said).toMatch(/Target: remote\..*Risk: is public\. Recovery: revert\./);
    expect(said).not.toMatch(/flow|approve|governance|contract/i);
  });

  it('[V-5] a contract that asks for nothing and denies nothing adds no section', async () => {
    const at = ground(ONE, rules(touch('warn')));
    const run = await at.run(END);
    expect(readFileSync(join(run.folder, 'stages/01-a/1/system.txt'), 'utf8')).not.toContain('# Permissions');
  });
});

describe('[V-7] memory', () => {
  const LANES = {
    memory_access: {
      meta_first: true,
      lanes: {
        project: { paths: ['memory/project/**'], index: 'memory/project/_INDEX.md' },
        other: { paths: ['memory/other/**'], index: 'memory/other/_INDEX.md' },
      },
    },
  };
  const reads = (path: string) => calls('01-a', 'read', { path });
  const FILES = ['memory/project/x.md', 'memory/other/x.md', 'memory/project/_INDEX.md', 'memory/other/_INDEX.md'];
  const planted = (at: Ground, files: readonly string[] = FILES): Ground => {
    for (const file of files) {
      mkdirSync(dirname(join(at.work, file)), { recursive: true });
      writeFileSync(join(at.work, file), `This is ${file}.\n`);
    }
    return at;
  };

  it('[V-7] own lane after its index, an index of another lane, and nothing else; commands too', async () => {
    const at = planted(ground(ONE, LANES, { more: { lane: 'project' } }));
    const run = await at.run([
      reads('memory/project/x.md'),
      reads('memory/project/_INDEX.md'),
      reads('memory/project/x.md'),
      reads('memory/other/_INDEX.md'),
      reads('$PWD/memory/other/x.md'),
      calls('01-a', 'write', { path: 'memory/other/_INDEX.md', content: 'mine' }),
      calls('01-a', 'bash', { command: 'cat memory/other/x.md' }),
      ...END,
    ]);
    expect(run.told('governance').map(({ stage_name, decision, rule, tool }) => [stage_name, decision, rule, tool])).toEqual([
      ['memory_access', 'deny', 'memory/meta_first', 'read'],
      ['memory_access', 'cross_reference_allowed', undefined, 'read'],
      ['memory_access', 'deny', 'memory/lanes', 'read'],
      ['memory_access', 'deny', 'memory/lanes', 'write'],
      ['memory_access', 'deny', 'memory/lanes', 'bash'],
    ]);
    expect(run.cause).toBe('success');
  });

  const denials = (run: Ended): readonly unknown[] => run.told('governance').map(({ decision, rule }) => `${decision} ${rule}`);

  it('[V-7] an index that could not be read opens nothing', async () => {
    const at = planted(ground(ONE, LANES, { more: { lane: 'project' } }), ['memory/project/x.md']);
    const run = await at.run([reads('memory/project/_INDEX.md'), reads('memory/project/x.md'), ...END]);
    expect(run.cause).toBe('success');
    expect(denials(run)).toEqual(['deny memory/meta_first']);
  });

  it('[V-7] an index whose reading another rule denied opens nothing', async () => {
    const closed = { id: 'closed', tool: 'read', path: '**/_INDEX.md', decision: 'deny', reason: 'closed' };
    const at = planted(ground(ONE, { ...LANES, schema_aware_file_tool: { rules: [closed] } }, { more: { lane: 'project' } }));
    const run = await at.run([reads('memory/project/_INDEX.md'), reads('memory/project/x.md'), ...END]);
    expect(run.cause).toBe('success');
    expect(denials(run)).toEqual(['deny closed', 'deny memory/meta_first']);
  });

  it('[V-7 V-5] an index that was read with leave opens its lane, and the receipt of the call is kept too', async () => {
    const asks = { id: 'asks', tool: 'read', path: '**/_INDEX.md', decision: 'require_approval', risks: 'is seen', recovery: 'none' };
    const at = planted(ground(ONE, { ...LANES, schema_aware_file_tool: { rules: [asks] } }, { more: { lane: 'project' } }));
    const run = await at.run([reads('memory/project/_INDEX.md'), reads('memory/project/x.md'), ...END], {
      approve: () => Promise.resolve({ answer: 'granted', by: 'ann', via: 'host' }),
    });
    expect(run.cause).toBe('success');
    expect(denials(run)).toEqual(['require_approval asks', 'allow undefined']);
    expect(run.told('governance').at(-1)?.postcondition).toBeDefined();
  });
});
