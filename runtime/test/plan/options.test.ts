import { join } from 'node:path';
import { expect, it } from 'vitest';
import { prepare } from '../../src/plan/prepare.js';
import type { Invocation } from '../../src/plan/invocation.js';
import type { ResolvedOptions } from '../../src/plan/plan.js';
import { assembly, ground, invocation, plant, stage } from './ground.js';

/** Every rung of the ladder for one stage inside a container, outermost last. */
const RUNGS = ['command', 'task', 'stage', 'container', 'flow', 'assembly', 'home', 'default'] as const;

/** An assembly in which the rungs from `nearest` on all say something different. */
async function resolve(nearest: number): Promise<ResolvedOptions | undefined> {
  const says = (rung: (typeof RUNGS)[number]): string => {
    const at = RUNGS.indexOf(rung);
    return at < nearest ? '' : `retries: ${at + 10}\ntimeout: ${at + 100}\nlocal-context: ${at % 2 === 0 ? 'use' : 'announce'}\n`;
  };
  const at = ground({
    'ASSEMBLY.md': `---\n${says('assembly')}---\n`,
    'flows/main/FLOW.md': `---\ndescription: d\n${says('flow')}---\n`,
    'flows/main/01-p/LOOP.md': `---\nrepeat: 2\n${says('container')}---\n`,
    'flows/main/01-p/01-x.md': stage('Write.', says('stage')),
    'flows/main/02-end.md': stage(),
  });
  plant(at.root, { 'home/config.yaml': says('home'), 'work/task.md': `---\n${says('task')}---\nDo it.\n` });
  const command: Partial<Invocation> = nearest > 0 ? {} : { options: { retries: '10', timeout: '100', localContext: 'use' } };
  const outcome = await prepare(invocation({ ...command, request: { words: [], task: 'task.md', none: false } }), at.ports);
  return outcome.ok ? outcome.plan.rows.find((row) => row.stage === '01-p/01-x')?.options : undefined;
}

it.each(RUNGS.map((rung, index) => [rung, index] as const))('[O-4] the nearest that speaks is the %s', async (rung, index) => {
  const options = await resolve(index);
  if (rung === 'default') {
    expect(options?.retries).toEqual({ value: 2, from: 'default' });
    expect(options?.timeout).toEqual({ value: 3600, from: 'default' });
    expect(options?.['local-context']).toEqual({ value: 'ignore', from: 'default' });
  } else {
    expect(options?.retries).toEqual({ value: index + 10, from: rung });
    expect(options?.timeout).toEqual({ value: index + 100, from: rung });
    expect(options?.['local-context'].from).toBe(rung);
  }
});

it('[O-4] of nested containers the innermost wins', async () => {
  const { ports } = ground(
    assembly({
      '01-c/CHOOSE.md': '---\nretries: 1\ntimeout: 11\n---\n- `a` — a\n- `b` — b\n',
      '01-c/a/LOOP.md': '---\nrepeat: 2\nretries: 5\n---\n',
      '01-c/a/01-x.md': stage(),
      '01-c/b.md': stage(),
      '02-end.md': stage(),
    }),
  );
  const outcome = await prepare(invocation(), ports);
  const row = outcome.ok ? outcome.plan.rows.find(({ step }) => step?.name === 'x') : undefined;
  expect(row?.options).toMatchObject({ retries: { value: 5, from: 'container' }, timeout: { value: 11, from: 'container' } });
});

it.each([
  [{ timeout: '0' }, '--timeout must be'],
  [{ timeout: '2147484' }, '--timeout must be'],
  [{ timeout: '1.5' }, '--timeout must be'],
  [{ timeout: '1e3' }, '--timeout must be'],
  [{ retries: '-1' }, '--retries must be'],
  [{ retries: '' }, '--retries must be'],
  [{ localContext: 'yes' }, '--local-context must be'],
  [{ intelligence: ' ' }, '--intelligence must be'],
  [{ model: 'sonnet' }, '--model must be PROVIDER/MODEL'],
  [{ model: '/x' }, '--model must be PROVIDER/MODEL'],
  [{ reasoning: 'hihg' }, '(high?)'],
  [{ model: 'a/b', intelligence: 'c' }, 'Keep one'],
])('[O-4] the command with %j is refused', async (options, message) => {
  const outcome = await prepare(invocation({ options }), ground(assembly({ '01-a.md': stage() })).ports);
  expect(outcome.ok ? [] : outcome.refusals).toMatchObject([{ code: 'value-invalid', path: 'command' }]);
  expect(outcome.ok ? '' : outcome.refusals[0]?.message).toContain(message);
});

it('[A-18] all faults of what was typed and configured are reported together', async () => {
  const at = ground(
    assembly({ '01-a.md': stage('W.', 'workdir: gone\n') }, { 'ASSEMBLY.md': '---\nslots:\n  repo: the repository\n---\n' }),
  );
  plant(at.root, { 'home/config.yaml': 'scurb: [X]\n' });
  const outcome = await prepare(
    invocation({ purpose: 'run', options: { retries: 'x' }, deadline: '-', request: { words: ['@gone'], none: false } }),
    at.ports,
  );
  const found = outcome.ok ? [] : outcome.refusals.map(({ code, path }) => `${code} ${path}`);
  expect(found.sort()).toEqual([
    'key-unknown home:config.yaml',
    'path-missing flows/main/01-a.md',
    'request-invalid request',
    'slot-missing command',
    'value-invalid command',
    'value-invalid command',
  ]);
  expect(join(at.root, 'a')).toBe(outcome.ok ? '' : outcome.source);
});
