import { join } from 'node:path';
import { expect, it } from 'vitest';
import { prepare } from '../../src/plan/prepare.js';
import type { Invocation } from '../../src/plan/invocation.js';
import { assembly, ground, input, invocation, plant, stage } from './ground.js';

const TREE = assembly({ '01-a.md': stage() }, { 'ASSEMBLY.md': '---\nslots:\n  repo: the repository\n  Notes: where notes go\n---\n' });

async function slots(said: Partial<Invocation>, env?: Record<string, string>) {
  const at = ground(TREE, env ? { env } : {});
  plant(at.root, { 'work/here': { dir: true }, 'work/link': { link: 'here' }, 'work/file.txt': 'x' });
  const outcome = await prepare(invocation({ models: 'rehearsal', request: { words: ['x'], none: false }, ...said }), at.ports);
  if (outcome.ok) return Object.fromEntries(Object.entries(outcome.slots).map(([name, path]) => [name, path.replace(at.root, '')]));
  return outcome.refusals.map(({ code, path, message }) => `${code} ${path}: ${message}`);
}

const word = (name: string, path: string | null) => ({ name, path });

it('[O-7 S-1] declared slots become upper-case names and real paths; files are fine', async () => {
  const given = { slots: [word('repo', 'link'), word('Notes', 'file.txt')] };
  expect(await slots({ purpose: 'run', ...given })).toEqual({ REPO: '/work/here', NOTES: '/work/file.txt' });
  expect(await slots({ purpose: 'check', ...given })).toEqual({ REPO: '/work/here', NOTES: '/work/file.txt' });
});

it('[O-7] a run needs every slot, a check none', async () => {
  expect(await slots({ purpose: 'run', slots: [word('repo', 'here')] })).toEqual([
    'slot-missing command: The slot Notes (where notes go) has no path. Add --Notes PATH.',
  ]);
  expect(await slots({ purpose: 'check' })).toEqual({});
});

it.each([
  ['nothing at the path', [word('repo', 'gone')], 'path-missing command: --repo: nothing is at gone.'],
  ['no path', [word('repo', null)], 'request-invalid command: --repo needs a path.'],
  ['twice', [word('repo', 'here'), word('REPO', 'here')], 'request-invalid command: --repo was given twice.'],
  ['a mistyped slot', [word('rpeo', 'here')], 'Did you mean --repo?'],
  ['a mistyped option', [word('retires', '3')], 'Did you mean --retries?'],
])('[O-7 I-1] refused in a check too: %s', async (_, given, message) => {
  expect(JSON.stringify(await slots({ slots: given }))).toContain(message);
});

it('[A-17] in a run a slot may hide no variable that is set; in a check it is not looked at', async () => {
  const given = { slots: [word('repo', 'here'), word('Notes', 'here')] };
  expect(await slots({ purpose: 'run', ...given }, { REPO: 'x' })).toEqual([expect.stringContaining('slot-reserved ASSEMBLY.md: ')]);
  expect(await slots({ purpose: 'check', ...given }, { REPO: 'x' })).toMatchObject({ REPO: '/work/here' });
});

it('[A-15 O-7] workdir and --in must be folders', async () => {
  const at = ground(assembly({ '01-a.md': stage('A', 'workdir: sub\n'), '02-b.md': stage('B', 'workdir: file.txt\n') }));
  plant(at.root, { 'work/file.txt': 'x', 'tree/sub': { dir: true }, 'tree/file.txt': { dir: true } });
  const here = await prepare(invocation(), at.ports);
  expect(here.ok ? [] : here.refusals.map(({ code, path }) => `${code} ${path}`)).toEqual([
    'path-missing flows/main/01-a.md',
    'path-missing flows/main/02-b.md',
  ]);
  const there = await prepare(invocation({ in: '../tree' }), at.ports);
  expect(there.ok && there.workdir).toBe(join(at.root, 'tree'));
  const gone = await prepare(invocation({ in: 'gone' }), at.ports);
  expect(gone.ok ? [] : gone.refusals.map(({ code, path }) => `${code} ${path}`)).toEqual(['path-missing command']);
});

it('[A-15 O-7] a path that is empty, or too long for any file system, is no folder', async () => {
  const long = 'x'.repeat(5_000);
  const at = ground(assembly({ '01-a.md': stage('A', `workdir: ${long}\n`) }));
  const codes = async (said: Partial<Invocation>) => {
    const outcome = await prepare(invocation(said), at.ports);
    return outcome.ok ? [] : outcome.refusals.map(({ code, path }) => `${code} ${path}`);
  };
  expect(await codes({})).toEqual(['path-missing flows/main/01-a.md']);
  expect(await codes({ in: long })).toEqual(['path-missing command']);
  expect(await codes({ in: '' })).toEqual(['path-missing command']);
});

const COLLIDING = assembly({
  '01-a/PARALLEL.md': '---\n---\n',
  '01-a/x.md': stage(),
  '01-a/X/STAGE.md': stage(),
  '02-z.md': stage('Z', 'workdir: gone\nintelligence: nobody\n'),
});

it('[A-18] options, name collisions and paths are reported together, once the structure is sound', async () => {
  const { ports } = ground(COLLIDING);
  const said = { purpose: 'run', request: { words: ['x'], none: false }, options: { timeout: '0' } } as const;
  const found = async (more: Partial<Invocation>) => {
    const outcome = await prepare(invocation({ ...said, ...more }), ports);
    return outcome.ok ? [] : outcome.refusals.map(({ code, path }) => `${code} ${path}`).sort();
  };
  expect(await found({})).toEqual(['input-collision flows/main/01-a/x.md', 'path-missing flows/main/02-z.md', 'value-invalid command']);
  expect(await found({ options: {}, request: { words: [], none: false } })).toEqual([
    'input-collision flows/main/01-a/x.md',
    'intelligence-unresolved home:config.yaml',
    'intelligence-unresolved home:config.yaml',
    'path-missing flows/main/02-z.md',
    'request-invalid request',
  ]);
});

it('[A-17 A-18] a slot that has to be renamed is not asked for, too', async () => {
  const { ports } = ground(assembly({ '01-a.md': stage() }, { 'ASSEMBLY.md': '---\nslots: {path: p}\n---\n' }));
  const outcome = await prepare(invocation({ purpose: 'run', models: 'rehearsal', request: { words: ['x'], none: false } }), ports);
  expect(outcome.ok ? [] : outcome.refusals.map(({ code, path }) => `${code} ${path}`)).toEqual(['slot-reserved ASSEMBLY.md']);
});

it('[O-3 A-18] standard input is not waited for when a model is missing', async () => {
  const stdin = input('a request');
  const { ports } = ground(assembly({ '01-a.md': stage() }), { stdin });
  const outcome = await prepare(invocation({ purpose: 'run' }), ports);
  expect(outcome.ok ? [] : outcome.refusals.map(({ code }) => code)).toEqual(['intelligence-unresolved']);
  expect(stdin.reads).toEqual([]);
});
