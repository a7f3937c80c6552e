import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { REFUSAL_CODES } from '@gated-flow/assembly';
import { expect, it } from 'vitest';
import schema from '../../schemas/flow.check.schema.json' with { type: 'json' };
import { main } from '../../src/cli/main.js';
import type { CheckDocument } from '../../src/cli/check/document.js';
import { fakeIo } from '../cli/io.js';
import { scratchFolder } from '../io/scratch.js';
import { assembly, plant, sh, stage, type Tree } from '../plan/ground.js';

const validate = new Ajv2020({ allErrors: true }).compile(schema);

const TRIAGE: Tree = {
  'ASSEMBLY.md': '---\n---\nHelp.\n',
  'flows/triage/FLOW.md': '---\ndescription: d\n---\n',
  'flows/triage/01-classify/STAGE.md': stage('Classify.', 'timeout: 600\n'),
  'flows/triage/01-classify/schema.json': '{"type":"object","required":["notes"],"properties":{"notes":{"type":"string"}}}',
  'flows/triage/01-classify/gate/01-enum.sh': sh('cat "$1"'),
  'flows/triage/02-draft/STAGE.md': stage(),
  'flows/triage/02-draft/schema.md': '---\nverdict: str\n---\n',
  'flows/triage/03-verify/STAGE.md': stage(),
  'flows/triage/03-verify/gate/01-blocker': sh('cat "$1"'),
  'flows/triage/03-verify/gate/02-sections': sh('cat "$1"'),
};

async function check(tree: Tree, words: readonly string[] = [], env: Record<string, string> = {}) {
  const root = scratchFolder();
  plant(join(root, 'triage'), tree);
  const io = fakeIo({ cwd: root, env: { HOME: join(root, 'user'), PATH: '/usr/bin:/bin', ...env } });
  const exit = await main(['check', './triage', ...words], io);
  expect(readdirSync(root).filter((name) => name !== 'triage')).toEqual([]);
  return { root, exit, out: io.printed(), err: io.said() };
}

async function document(tree: Tree, words: readonly string[] = [], env: Record<string, string> = {}): Promise<CheckDocument> {
  const { out, err } = await check(tree, [...words, '--json'], env);
  expect(err).toBe('');
  const parsed: unknown = JSON.parse(out);
  validate(parsed);
  expect(validate.errors).toBeNull();
  return parsed as CheckDocument;
}

it('[G-10 I-1] the text: what it is, a row per stage with options and their rungs, the warnings', async () => {
  const { exit, out, err } = await check(TRIAGE, ['--rehearse']);
  expect([exit, err]).toEqual([0, '']);
  expect(out.replace(/sha256 [0-9a-f]{12}…/, 'sha256 …')).toBe(`triage · 3 stages · 10 files · sha256 …    model: none needed
 01-classify   request.txt     → classify.json   schema.json, gate/01-enum.sh        retries 2 (default)  timeout 600 (stage)
 02-draft      classify.json   → draft.md        schema.md                           retries 2 (default)  timeout 3600 (default)
 03-verify     draft.md        → verify.txt      gate/01-blocker, gate/02-sections   retries 2 (default)  timeout 3600 (default)
warning  01-classify/schema.json   "notes" accepts any string; say more (such as minLength), or leave it out.
warning  01-classify/gate/01-enum.sh   Never shown to fail: put a bad output in .fixtures/fail/ beside the stage.
warning  03-verify/gate   Never shown to fail: put a bad output in .fixtures/fail/ beside the stage.
`);
});

it('[O-5 I-6] without a model the heading says what would make one, and a warning says so', async () => {
  const { exit, out } = await check(TRIAGE);
  expect(exit).toBe(0);
  expect(out).toMatch(/model: none found here \(ANTHROPIC_API_KEY, .*or --rehearse\)/);
  expect(out).toContain('warning  home:config.yaml   No model was found');
});

it('[O-5] with a model the heading names it and its rung', async () => {
  const { out } = await check(TRIAGE, [], { ANTHROPIC_API_KEY: 'sk-secret-secret' });
  expect(out).toMatch(/model: anthropic\/\S+ \(environment\)/);
  expect(out).not.toContain('sk-secret');
});

it('[A-18 I-1] refused: the refusals on standard output, exit 2', async () => {
  const { exit, out, err } = await check({ ...TRIAGE, 'flows/triage/03-verify/gate/02-sections': '#!/bin/sh\nexit 0\n' });
  expect([exit, err]).toEqual([2, '']);
  expect(out).toMatch(
    /^not-runnable {3}flows\/triage\/03-verify\/gate\/02-sections\n {4}.*chmod \+x \.\/triage\/flows\/triage\/03-verify\/gate\/02-sections\n1 fault: nothing was run\.\n$/s,
  );
});

it('[I-1] --warnings-fail: exit 1 with a warning, 0 without, 2 when refused', async () => {
  expect((await check(TRIAGE, ['--rehearse', '--warnings-fail'])).exit).toBe(1);
  expect((await check(assembly({ '01-a.md': stage() }), ['--rehearse', '--warnings-fail'])).exit).toBe(0);
  expect((await check({}, ['--warnings-fail'])).exit).toBe(2);
});

it('[G-10 I-2] the document of a sound assembly', async () => {
  const found = await document(TRIAGE, [], { OPENAI_API_KEY: 'k' });
  expect(found).toMatchObject({ kind: 'flow.check', version: 1, target: './triage', flow: 'triage', files: 10, refusals: [] });
  expect(found.model).toMatchObject({ provider: 'openai', from: 'environment' });
  expect(found.stages.map(({ stage: name, type, input, output, files }) => ({ name, type, input, output, files }))).toEqual([
    {
      name: '01-classify',
      type: 'STAGE',
      input: ['request.txt'],
      output: 'classify.json',
      files: ['STAGE.md', 'gate/01-enum.sh', 'schema.json'],
    },
    { name: '02-draft', type: 'STAGE', input: ['classify.json'], output: 'draft.md', files: ['STAGE.md', 'schema.md'] },
    {
      name: '03-verify',
      type: 'STAGE',
      input: ['draft.md'],
      output: 'verify.txt',
      files: ['STAGE.md', 'gate/01-blocker', 'gate/02-sections'],
    },
  ]);
  expect(found.stages[0]?.options.timeout).toEqual({ value: 600, from: 'stage' });
});

it('[G-10 I-2] containers have their own keys, stages their skills and workdir', async () => {
  const found = await document(
    assembly(
      {
        '01-list/STAGE.md': stage('W.', 'workdir: flows\n'),
        '01-list/schema.json': '{"type":"object","required":["a"]}',
        '02-each/FANOUT.md': '---\nitems: a\nsubflow: one\nwidth: 2\nmax-items: 9\n---\n',
        '03-x.md': stage(),
        '04-l/LOOP.md': '---\nrepeat: 3\n---\n',
        '04-l/01-y.md': stage(),
        '05-p/PARALLEL.md': '---\n---\n',
        '05-p/a.md': stage(),
        '05-p/b.md': stage(),
        '06-c/CHOOSE.md': '---\n---\n- `k` — k\n- `m` — m\n',
        '06-c/k.md': stage(),
        '06-c/m.md': stage(),
        '07-end.md': stage('Use the s skill.'),
      },
      {
        'subflows/one/FLOW.md': '---\ndescription: d\n---\n',
        'subflows/one/01-x.md': stage(),
        'skills/s/SKILL.md': '---\ndescription: d\n---\nx\n',
      },
    ),
    ['--in', './triage'],
  );
  expect(found.refusals).toEqual([]);
  const rows = Object.fromEntries(found.stages.map((row) => [row.stage, row]));
  expect(rows['01-list']).toMatchObject({ workdir: 'flows', skills: ['s'] });
  expect(rows['02-each']).toMatchObject({ type: 'FANOUT', items: 'a', subflow: 'one', width: 2, 'max-items': 9 });
  expect(rows['04-l']).toMatchObject({ type: 'LOOP', repeat: 3 });
  expect(rows['05-p']).toMatchObject({ type: 'PARALLEL', width: 2, branches: ['a', 'b'] });
  expect(rows['06-c']).toMatchObject({ type: 'CHOOSE', alternatives: ['k', 'm'] });
  expect(rows['07-end']).not.toHaveProperty('workdir');
  expect(rows['04-l']).not.toHaveProperty('input');
});

it('[S-7 G-9] under local-context: use the skills of the working tree join as the widest scope; announced or ignored ones do not', async () => {
  const tree = (how: string): Tree => ({
    ...assembly(
      { '01-a.md': stage('W.', `local-context: ${how}\nworkdir: flows\n`) },
      { 'skills/both/SKILL.md': '---\ndescription: ours\n---\nx\n' },
    ),
    'flows/.agents/skills/theirs/SKILL.md': '---\ndescription: theirs\n---\nx\n',
    'flows/.agents/skills/both/SKILL.md': '---\ndescription: theirs\n---\nx\n',
  });
  const skills = async (how: string) => (await document(tree(how), ['--in', './triage'])).stages[0]?.skills;
  expect(await skills('use')).toEqual(['both', 'theirs']);
  expect(await skills('announce')).toEqual(['both']);
  expect(await skills('ignore')).toEqual(['both']);
});

it('[G-10 O-2] the assembly agent has its scope', async () => {
  const found = await document({
    ...TRIAGE,
    'flows/other/FLOW.md': '---\ndescription: d\n---\n',
    'flows/other/01-a.md': stage(),
    'subflows/help/FLOW.md': '---\ndescription: d\n---\n',
    'subflows/help/01-a.md': stage(),
  });
  expect(found.flow).toBeNull();
  expect(found.stages).toMatchObject([
    {
      stage: 'assembly',
      type: 'ASSEMBLY',
      input: ['request.txt'],
      output: 'assembly.txt',
      scope: { flows: ['other', 'triage'], subflows: ['help'] },
    },
  ]);
});

it('[A-18 I-2] the document of a refused one says only why', async () => {
  expect(await document({ 'ASSEMBLY.md': '---\n---\n' })).toEqual({
    kind: 'flow.check',
    version: 1,
    target: './triage',
    flow: null,
    assembly_hash: null,
    files: null,
    model: null,
    stages: [],
    called: [],
    governance: null,
    warnings: [],
    refusals: [{ code: 'assembly-incomplete', path: '.', message: expect.any(String) as string }],
  });
});

it('[I-2 A-18] the schema knows exactly the closed list of codes', () => {
  expect(schema.$defs.refusal.properties.code.enum).toEqual([...REFUSAL_CODES]);
});

it('[I-3 I-1] nothing in an assembly reaches the terminal with control sequences', async () => {
  const { out } = await check(
    {
      'ASSEMBLY.md': '---\nslots:\n  r: "\\e[31m"\n---\n',
      'flows/main/FLOW.md': '---\ndescription: "\\e[2J\\u202e"\n---\n',
      'flows/main/01-a.md': stage('W.\n\n## checklist \u001b[31m\u009b'),
      'flows/x/FLOW.md': '---\ndescription: "\\e[2J\\u202e"\n---\n',
      'flows/x/01-a.md': stage(),
    },
    ['--intelligence', 'x\u001b[1m'],
  );
  expect(out).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/);
});

it('[O-6] a check makes no home', async () => {
  const { root } = await check(TRIAGE, ['--home', 'h']);
  expect(existsSync(join(root, 'h'))).toBe(false);
});

const CALLS: Tree = {
  'ASSEMBLY.md': '---\n---\nHelp.\n',
  'flows/main/FLOW.md': '---\ndescription: d\n---\n',
  'flows/main/01-way/CHOOSE.md': '---\n---\nChoose:\n\n- `left` now\n- `right` later\n',
  'flows/main/01-way/left.md': stage(),
  'flows/main/01-way/right/STAGE.md': stage(),
  'flows/main/01-way/right/schema.md': '---\nverdict: str\n---\n',
  'flows/main/02-draft/STAGE.md': stage(),
  'flows/main/02-draft/subflows/own/FLOW.md': '---\ndescription: Of this stage\n---\n',
  'flows/main/02-draft/subflows/own/01-do.md': stage(),
  'subflows/dig/DESCEND.md': '---\ndescription: Digs deeper\nmax-depth: 3\n---\n',
  'subflows/dig/01-look.md': stage(),
};

it('[G-10 G-7 G-8] what may be called, by whom, how deep, with rows of its own', async () => {
  const { stages, called } = await document(CALLS, ['--rehearse']);
  expect(stages.map(({ stage: path, input, subflows }) => [path, input, subflows])).toEqual([
    ['01-way', undefined, ['dig']],
    ['01-way/left', ['request.txt'], ['dig']],
    ['01-way/right', ['request.txt'], ['dig']],
    ['02-draft', ['left.txt', 'right.md'], ['dig', 'own']],
  ]);
  expect(called).toMatchObject([
    {
      flow: 'own',
      type: 'FLOW',
      path: 'flows/main/02-draft/subflows/own',
      stages: [{ stage: '01-do', input: ['request.*'], subflows: ['dig'] }],
    },
    { flow: 'dig', type: 'DESCEND', path: 'subflows/dig', 'max-depth': 3, stages: [{ stage: '01-look', subflows: ['dig'] }] },
  ]);
  const { out } = await check(CALLS, ['--rehearse']);
  for (const part of [
    '   every agent may call dig\n   02-draft may call own\n',
    'dig   DESCEND, max-depth 3   subflows/dig   Digs deeper\n 01-look   request.*   → look.txt',
  ])
    expect(out).toContain(part);
});

it.each([
  [1, undefined],
  [2, ['dig']],
])('[G-10 G-8] a DESCEND of max-depth %i: may its own stages call it?', async (depth, subflows) => {
  const dig = `---\ndescription: Digs deeper\nmax-depth: ${depth}\n---\n`;
  const { stages, called } = await document({ ...CALLS, 'subflows/dig/DESCEND.md': dig }, ['--rehearse']);
  expect(stages[0]?.subflows).toEqual(['dig']);
  expect(called.find(({ flow }) => flow === 'dig')?.stages[0]?.subflows).toEqual(subflows);
});
