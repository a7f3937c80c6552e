import { join } from 'node:path';
import { expect, it } from 'vitest';
import { prepare } from '../../src/plan/prepare.js';
import { assembly, ground, invocation, plant, stage } from './ground.js';

const TREE = assembly({ '01-a.md': stage(), '02-b.md': stage() });

async function sourceOf(target: string, at: ReturnType<typeof ground>): Promise<string | readonly string[]> {
  const outcome = await prepare(invocation({ target }), at.ports);
  return outcome.ok ? outcome.plan.source : outcome.refusals.map(({ code }) => code);
}

it('[O-1] a bare word is a name under the home, else a directory here, and a path is never looked up in the home', async () => {
  const at = ground(TREE);
  plant(join(at.root, 'home/assemblies/named'), TREE);
  plant(join(at.root, 'work/local'), TREE);
  expect(await sourceOf('named', at)).toBe(join(at.root, 'home/assemblies/named'));
  expect(await sourceOf('local', at)).toBe(join(at.root, 'work/local'));
  expect(await sourceOf('./named', at)).toEqual(['assembly-unknown']);
  expect(await sourceOf('..', at)).not.toBe(join(at.root, 'home/assemblies/..'));
});

it('[O-1] a bare word that is both is refused, naming both', async () => {
  const at = ground(TREE);
  plant(join(at.root, 'home/assemblies/both'), TREE);
  plant(join(at.root, 'work/both'), TREE);
  const outcome = await prepare(invocation({ target: 'both' }), at.ports);
  expect(outcome.ok ? [] : outcome.refusals).toMatchObject([{ code: 'request-invalid', path: 'command' }]);
  const message = outcome.ok ? '' : outcome.refusals[0]?.message;
  expect(message).toContain(join(at.root, 'home/assemblies/both'));
  expect(message).toContain(join(at.root, 'work/both'));
});

it('[O-1] a name that no file system takes is an unknown assembly', async () => {
  const at = ground(TREE);
  expect(await sourceOf('x'.repeat(5_000), at)).toEqual(['assembly-unknown']);
  expect(await sourceOf(`./${'x'.repeat(5_000)}`, at)).toEqual(['assembly-unknown']);
});

it.each([
  ['../a', null, ['01-a', '02-b']],
  ['../a/main', 'main', ['01-a', '02-b']],
  ['../a/flows/main', 'main', ['01-a', '02-b']],
  ['../a/flows/main/02-b', 'main', ['02-b']],
  ['../a/flows/main/02-b.md', 'main', ['02-b']],
])('[A-2 O-1] %s runs the stages it names, with the defaults around them', async (target, _, stages) => {
  const { ports } = ground({ ...TREE, 'ASSEMBLY.md': '---\nretries: 7\n---\n' });
  const outcome = await prepare(invocation({ target }), ports);
  const plan = outcome.ok ? outcome.plan : null;
  expect(plan?.rows.map((row) => row.stage)).toEqual(stages);
  expect(plan?.flow?.steps.map((step) => step.path)).toEqual(stages);
  expect(plan?.rows.map((row) => row.options.retries)).toEqual(stages.map(() => ({ value: 7, from: 'assembly' })));
});

it('[A-2] one stage alone receives the request', async () => {
  const { ports } = ground(TREE);
  const outcome = await prepare(invocation({ target: '../a/flows/main/02-b' }), ports);
  expect(outcome.ok && outcome.plan.rows[0]?.input).toEqual(['request.txt']);
});

it.each([
  ['a lone flow', { 'FLOW.md': '---\ndescription: d\n---\n', '01-a.md': stage(), '02-b.md': stage() }, ['01-a', '02-b']],
  ['a lone stage', { 'STAGE.md': stage(), 'schema.json': '{"type":"object","required":["a"]}' }, ['a']],
])('[A-2] %s is an assembly', async (_, tree, stages) => {
  const { ports } = ground(tree);
  const outcome = await prepare(invocation(), ports);
  expect(outcome.ok ? outcome.plan.rows.map((row) => row.stage) : outcome.refusals).toEqual(stages);
});

it('[O-2] several flows, or --route, leave the choice to the assembly agent', async () => {
  const { ports } = ground({ ...TREE, 'flows/other/FLOW.md': '---\ndescription: d\n---\n', 'flows/other/01-c.md': stage() });
  const several = await prepare(invocation(), ports);
  expect(several.ok && several.plan.flow).toBeNull();
  expect(several.ok && several.plan.rows).toMatchObject([
    { stage: 'assembly', type: 'ASSEMBLY', output: 'assembly.txt', input: ['request.txt'] },
  ]);
  const routed = await prepare(invocation({ route: true }), ground(TREE).ports);
  expect(routed.ok && routed.plan.rows.map(({ type }) => type)).toEqual(['ASSEMBLY']);
  const named = await prepare(invocation({ target: '../a/other' }), ports);
  expect(named.ok && named.plan.flow?.name).toBe('other');
});
