import { expect, it } from 'vitest';
import { prepare } from '../../src/plan/prepare.js';
import type { Invocation } from '../../src/plan/invocation.js';
import { assembly, ground, invocation, plant, stage } from './ground.js';

interface Case {
  readonly config?: string;
  readonly front?: string;
  readonly env?: Record<string, string>;
  readonly said?: Partial<Invocation>;
}

const ROWS =
  'intelligences:\n  default: {provider: anthropic, model: big, reasoning: low}\n  fast: {provider: openai-compatible, model: small, base-url: "http://127.0.0.1:1/v1"}\n';

async function resolve({ config, front, env, said }: Case) {
  const at = ground(assembly({ '01-a.md': stage('W.', front) }), env ? { env } : {});
  if (config !== undefined) plant(at.root, { 'home/config.yaml': config });
  const outcome = await prepare(invocation({ purpose: 'run', request: { words: ['x'], none: false }, ...said }), at.ports);
  if (!outcome.ok) return outcome.refusals.map(({ code, path }) => `${code} ${path}`);
  const row = outcome.plan.rows[0];
  const { intelligence, provider, model, reasoning } = row?.options ?? {};
  return [intelligence, provider, model, reasoning].map((option) => `${option?.value} ${option?.from}`);
}

const KEY = { ANTHROPIC_API_KEY: 'k' };
it.each<[string, Case, readonly string[]]>([
  ['the row default', { config: ROWS, env: KEY }, ['default default', 'anthropic home', 'big home', 'low home']],
  ['a named row', { config: ROWS, front: 'intelligence: fast\n' }, ['fast stage', 'openai-compatible home', 'small home', 'null default']],
  [
    '--intelligence',
    { config: ROWS, said: { options: { intelligence: 'fast' } } },
    ['fast command', 'openai-compatible home', 'small home', 'null default'],
  ],
  [
    '--model',
    { config: ROWS, env: KEY, said: { options: { model: 'anthropic/x/y' } } },
    ['anthropic/x/y command', 'anthropic command', 'x/y command', 'null default'],
  ],
  [
    '--model beats a stage that names a row',
    { env: KEY, front: 'intelligence: fast\n', said: { options: { model: 'anthropic/x' } } },
    ['anthropic/x command', 'anthropic command', 'x command', 'null default'],
  ],
  [
    '--reasoning changes any row',
    { config: ROWS, env: KEY, said: { options: { reasoning: 'xhigh' } } },
    ['default default', 'anthropic home', 'big home', 'xhigh command'],
  ],
  ['a script needs none', { said: { models: 'scripted' } }, ['null default', 'null default', 'null default', 'null default']],
  [
    'a rehearsal needs none, and a name is kept',
    { front: 'intelligence: fast\n', said: { models: 'rehearsal' } },
    ['fast stage', 'null default', 'null default', 'null default'],
  ],
  ['nothing found', {}, ['intelligence-unresolved home:config.yaml']],
  ['no such row', { config: ROWS, front: 'intelligence: fats\n' }, ['intelligence-unresolved home:config.yaml']],
  ['no such row, on the command', { config: ROWS, said: { options: { intelligence: 'fats' } } }, ['intelligence-unresolved command']],
  ['no key', { config: ROWS }, ['credential-missing home:config.yaml']],
  ['an empty key', { config: ROWS, env: { ANTHROPIC_API_KEY: ' ' } }, ['credential-missing home:config.yaml']],
  ['no key for --model', { said: { options: { model: 'anthropic/x' } } }, ['credential-missing command']],
  [
    'a named variable that is not set',
    { config: 'intelligences:\n  default: {provider: openai-compatible, model: m, base-url: "http://h/", api-key-env: MINE}\n' },
    ['credential-missing home:config.yaml'],
  ],
])('[O-5 M-1] %s', async (_, given, expected) => {
  expect(await resolve(given)).toEqual(expected);
});

it('[O-5 M-2] with no row, the first key of the environment finds the default', async () => {
  const [intelligence, provider, model] = await resolve({ env: { OPENAI_API_KEY: 'k' }, said: { purpose: 'check' } });
  expect(intelligence).toBe('default environment');
  expect(provider).toBe('openai environment');
  expect(model).toMatch(/ environment$/);
});

it('[O-5] the refusals name the exact ways out', async () => {
  const at = ground(assembly({ '01-a.md': stage() }));
  const outcome = await prepare(invocation({ purpose: 'run', request: { words: ['x'], none: false } }), at.ports);
  const message = outcome.ok ? '' : outcome.refusals[0]?.message;
  for (const way of ['ANTHROPIC_API_KEY', 'row', '--model PROVIDER/MODEL', '--rehearse']) expect(message).toContain(way);
});

it('[O-5] a fault that many stages share is said once', async () => {
  const at = ground(
    assembly({ '01-a.md': stage('A', 'intelligence: x\n'), '02-b.md': stage('B', 'intelligence: x\n'), '03-c.md': stage() }),
  );
  const outcome = await prepare(invocation({ purpose: 'run', request: { words: ['x'], none: false } }), at.ports);
  expect(outcome.ok ? [] : outcome.refusals.map(({ code }) => code)).toEqual(['intelligence-unresolved', 'intelligence-unresolved']);
});

it('[O-5] a check needs no model: unresolved is a warning, and null from default', async () => {
  const outcome = await prepare(invocation(), ground(assembly({ '01-a.md': stage() })).ports);
  expect(outcome.ok && outcome.plan.rows[0]?.options.model).toEqual({ value: null, from: 'default' });
  expect(outcome.ok && outcome.plan.warnings.map(({ message }) => message)).toEqual([expect.stringContaining('No model was found')]);
});

it('[O-5] a model on the spot is reached the way the home reaches its provider', async () => {
  const at = ground(assembly({ '01-a.md': stage() }));
  plant(at.root, { 'home/config.yaml': ROWS });
  const outcome = await prepare(invocation({ options: { model: 'openai-compatible/other' } }), at.ports);
  expect(outcome.ok && outcome.plan.rows[0]?.intelligence).toEqual({
    provider: 'openai-compatible',
    model: 'other',
    baseUrl: 'http://127.0.0.1:1/v1',
  });
});

it('[M-2] the environment is asked only when a default may be needed', async () => {
  let asked = 0;
  const discover = () => {
    asked += 1;
    return Promise.resolve(null);
  };
  const at = ground(assembly({ '01-a.md': stage() }), { discover });
  plant(at.root, { 'home/config.yaml': ROWS });
  await prepare(invocation(), at.ports);
  await prepare(invocation({ models: 'scripted' }), at.ports);
  await prepare(invocation({ options: { model: 'a/b' } }), at.ports);
  expect(asked).toBe(0);
});

const PRICED = 'intelligences:\n  default: {provider: anthropic, model: m, price: {input: 1, output: 1}}\n';

it.each<[string, Partial<Invocation>, string, number | undefined]>([
  ['no limit', {}, '', undefined],
  ['the command', { maxCost: '2' }, '', 2],
  ['the home', {}, 'max-cost: 3\n', 3],
  ['the command before the home', { maxCost: '0.5' }, 'max-cost: 3\n', 0.5],
])('[I-5] a cost limit: %s', async (_, said, config, expected) => {
  const at = ground(assembly({ '01-a.md': stage() }), { env: KEY });
  plant(at.root, { 'home/config.yaml': `${config}${PRICED}` });
  const outcome = await prepare(invocation(said), at.ports);
  expect(outcome.ok && outcome.limits.maxCostUsd).toBe(expected);
});

it('[I-5 M-3] a cost limit needs a price: the refusal names price:, and a row with one is fine', async () => {
  const at = ground(assembly({ '01-a.md': stage() }), { env: KEY });
  const outcome = await prepare(invocation({ maxCost: '1', options: { model: 'anthropic/no-such-model' } }), at.ports);
  expect(outcome.ok ? [] : outcome.refusals).toMatchObject([{ code: 'request-invalid', path: 'command' }]);
  expect(outcome.ok ? '' : outcome.refusals[0]?.message).toContain('price:');
  const scripted = await prepare(invocation({ maxCost: '1', models: 'scripted' }), at.ports);
  expect(scripted.ok).toBe(true);
  plant(at.root, { 'home/config.yaml': PRICED });
  expect((await prepare(invocation({ maxCost: '1' }), at.ports)).ok).toBe(true);
});

it.each([
  [{ deadline: '0' }, '--deadline must be'],
  [{ deadline: '1h' }, '--deadline must be'],
  [{ deadline: '9999999' }, '--deadline must be'],
  [{ maxCost: '0' }, '--max-cost must be'],
  [{ maxCost: '$5' }, '--max-cost must be'],
  [{ maxCost: 'Infinity' }, '--max-cost must be'],
])('[I-5] %j is refused', async (said, message) => {
  const outcome = await prepare(invocation(said), ground(assembly({ '01-a.md': stage() })).ports);
  expect(outcome.ok ? [] : outcome.refusals).toMatchObject([{ code: 'value-invalid', path: 'command' }]);
  expect(outcome.ok ? '' : outcome.refusals[0]?.message).toContain(message);
});
