import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { flowsWithin, parseAssembly, placesOf, stagesOf } from '../src/index.js';
import type { Assembly } from '../src/index.js';
import type { Tree } from './support/plant.js';
import { FLOW, S, assembly, sh, snapshot, stage } from './support/plant.js';

async function parsed(tree: Tree): Promise<Assembly> {
  const result = await parseAssembly(snapshot(tree));
  if (!result.ok) throw new Error(JSON.stringify(result.refusals));
  return result.assembly;
}

const REVIEW: Tree = {
  'ASSEMBLY.md': '---\ntimeout: 60\nslots: {Repo: the repository}\nunevaluated: fail\n---\nHelp. <!-- hidden -->\n',
  'a.contract.yaml': 'a: 1\n',
  'governance.contract.json': '{"contract_type":"governance"}',
  'lib/words': 'x',
  'skills/tests/SKILL.md': '---\ndescription: How to test\n---\n',
  'subflows/oracle/DESCEND.md': '---\ndescription: An oracle\nmax-depth: 4\n---\n',
  'subflows/oracle/01-say.md': S,
  'flows/main/FLOW.md': '---\ndescription: >\n  A flow\ntmp: flow\nretries: 1\n---\nStep by step.\n',
  'flows/main/lib/x': 'y',
  'flows/main/10-end.md': S,
  'flows/main/2-work/STAGE.md':
    '---\nintelligence: deep\nlocal-context: use\nworkdir: src\naccess: {read: [input, Repo], bash: [git]}\n---\nWork.\n\n## Checklist\n- [ ] Test it\n- Tell it\n',
  'flows/main/2-work/schema.md': '---\nverdict: str\nnote:\n---\n## What\n',
  'flows/main/2-work/gate/10.sh': sh(),
  'flows/main/2-work/gate/9.sh': sh(),
  'flows/main/2-work/before.sh': sh(),
  'flows/main/2-work/lib/z': 'z',
  'flows/main/3-l/LOOP.md': '---\nrepeat: 3\ntimeout: 9\n---\nReady?\n',
  'flows/main/3-l/skills/s/SKILL.md': '---\ndescription: s\n---\n',
  'flows/main/3-l/1-c/CHOOSE.md': '---\n---\n- `fix` — small\n- `stop` — unsafe\n',
  'flows/main/3-l/1-c/fix/1-one.md': S,
  'flows/main/3-l/1-c/fix/2-two.md': S,
  'flows/main/3-l/1-c/stop.md': S,
  'flows/main/3-l/2-d.md': S,
  'flows/main/4-p/PARALLEL.md': '---\n---\n',
  'flows/main/4-p/cost.md': S,
  'flows/main/4-p/risk/STAGE.md': S,
};

describe('the tree of a valid assembly', () => {
  it('[A-15 A-5] what the root says', async () => {
    const { snapshot: read, hash, flows, subflows, ...rest } = await parsed(REVIEW);
    expect(rest).toEqual({
      files: read.entries.size - [...read.entries.values()].filter(({ kind }) => kind === 'folder').length,
      sentinel: 'ASSEMBLY.md',
      purpose: 'Help. \n',
      options: { timeout: 60 },
      slots: { Repo: 'the repository' },
      tmpMaxBytes: 1024 ** 3,
      unevaluated: 'fail',
      skills: [{ name: 'tests', description: 'How to test', path: 'skills/tests' }],
      contract: 'a.contract.yaml',
      governance: 'governance.contract.json',
      lib: 'lib',
    });
    expect([hash.length, flows.length, subflows.length]).toEqual([64, 1, 1]);
  });

  it('[G-8] a flow that may call itself', async () => {
    expect((await parsed(REVIEW)).subflows[0]).toMatchObject({
      type: 'DESCEND',
      name: 'oracle',
      path: 'subflows/oracle',
      maxDepth: 4,
      description: 'An oracle',
    });
  });

  it('[A-6 A-15] a flow and its order', async () => {
    const [flow] = (await parsed(REVIEW)).flows;
    expect(flow).toMatchObject({
      type: 'FLOW',
      description: 'A flow',
      procedure: 'Step by step.\n',
      tmp: 'flow',
      options: { retries: 1 },
      lib: 'flows/main/lib',
    });
    expect(flow?.steps.map(({ path, name }) => [path, name])).toEqual([
      ['2-work', 'work'],
      ['3-l', 'l'],
      ['4-p', 'p'],
      ['10-end', 'end'],
    ]);
  });

  it('[A-8 A-16 A-21 K-4] a stage and what stands beside it', async () => {
    const [flow] = (await parsed(REVIEW)).flows;
    const libs = ['flows/main/2-work/lib', 'flows/main/lib', 'lib'];
    expect(flow?.steps[0]).toMatchObject({
      type: 'STAGE',
      entry: 'flows/main/2-work',
      sentinel: 'flows/main/2-work/STAGE.md',
      options: { intelligence: 'deep', localContext: 'use' },
      workdir: 'src',
      access: { read: ['INPUT', 'REPO'], bash: ['git'] },
      checklist: ['Test it', 'Tell it'],
      schema: {
        kind: 'md',
        path: 'flows/main/2-work/schema.md',
        keys: [
          { key: 'verdict', type: 'str' },
          { key: 'note', type: null },
        ],
      },
      gates: [
        { name: 'gate/10.sh', path: 'flows/main/2-work/gate/10.sh', libs },
        { name: 'gate/9.sh', path: 'flows/main/2-work/gate/9.sh', libs },
      ],
      hooks: { before: { name: 'before.sh', libs } },
    });
  });

  it('[G-1 G-10] every step, in the order it runs, with what it stands in', async () => {
    const [flow] = (await parsed(REVIEW)).flows;
    expect(
      flow && placesOf(flow).map(({ step, within }) => `${step.type} ${step.path} < ${within.map(({ name }) => name).join(' ')}`),
    ).toEqual([
      'STAGE 2-work < ',
      'LOOP 3-l < ',
      'CHOOSE 3-l/1-c < l',
      'STAGE 3-l/1-c/fix/1-one < l c',
      'STAGE 3-l/1-c/fix/2-two < l c',
      'STAGE 3-l/1-c/stop < l c',
      'STAGE 3-l/2-d < l',
      'PARALLEL 4-p < ',
      'STAGE 4-p/cost < p',
      'STAGE 4-p/risk < p',
      'STAGE 10-end < ',
    ]);
    expect(flow && stagesOf(flow)).toHaveLength(8);
  });

  it('[G-3 G-5] what the containers say', async () => {
    const [flow] = (await parsed(REVIEW)).flows;
    expect(flow?.steps.slice(1, 3)).toMatchObject([
      { type: 'LOOP', repeat: 3, question: 'Ready?\n', options: { timeout: 9 }, skills: [{ name: 's' }] },
      { type: 'PARALLEL', width: 2, branches: [{ name: 'cost', path: '4-p/cost', entry: 'flows/main/4-p/cost.md' }, { name: 'risk' }] },
    ]);
  });

  it('[G-7] every flow, subflows at any depth included', async () => {
    const tree = assembly({
      '01-a/STAGE.md': S,
      '01-a/subflows/f/FLOW.md': FLOW,
      '01-a/subflows/f/01-x.md': S,
      'subflows/g/FLOW.md': FLOW,
      'subflows/g/01-x.md': S,
    });
    expect(flowsWithin(await parsed(tree)).map(({ flow, place }) => [flow.path, place])).toEqual([
      ['flows/main', 'named'],
      ['flows/main/subflows/g', 'subflow'],
      ['flows/main/01-a/subflows/f', 'subflow'],
    ]);
  });

  it('[A-5] a comment inside code stays, and hides nothing from the reader', async () => {
    const [flow] = (await parsed(assembly({ '01-a.md': stage('```html\n<!-- kept -->\n```\n<!-- # Checklist\n- gone -->') }))).flows;
    expect(flow?.steps[0]).toMatchObject({ body: '```html\n<!-- kept -->\n```\n\n', checklist: [] });
  });
});

const NAMES = [
  'ASSEMBLY.md',
  'FLOW.md',
  'DESCEND.md',
  'STAGE.md',
  'LOOP.md',
  'CHOOSE.md',
  'PARALLEL.md',
  'FANOUT.md',
  'SKILL.md',
  'README.md',
  'flows',
  'main',
  'subflows',
  'skills',
  'lib',
  'gate',
  'gate.sh',
  'schema.json',
  'schema.md',
  'before.sh',
  'a.contract.yaml',
  'governance.contract.json',
  '01-a',
  '01-a.md',
  '2-b.md',
  '02-c',
  'x',
  'x.md',
  'Stage.md',
  'x~',
];
const BODIES = [
  S,
  FLOW,
  '',
  '---\n---\n',
  '---\nrepeat: 2\n---\nReady?\n',
  '---\n---\n- `x` y\n- `a` z\n',
  '---\nitems: a\nsubflow: x\nwidth: 1\nmax-items: 2\n---\n',
  '{"type":"object"}',
  '#!/bin/sh\n',
  '<!-- x',
  '---\nslots: {a: b}\naccess: {read: [A]}\n---\n# Checklist\n- a\n',
  '\ufeff',
  '{"contract_type":"governance"}',
];
const path = fc
  .array(
    fc.oneof(
      { weight: 20, arbitrary: fc.constantFrom(...NAMES) },
      {
        weight: 1,
        arbitrary: fc
          .string({ unit: 'binary', minLength: 1, maxLength: 8 })
          .filter((name) => !/[/\0]|^\./u.test(name) && !/\p{Surrogate}/u.test(name)),
      },
    ),
    { minLength: 1, maxLength: 6 },
  )
  .map((names) => names.join('/'));
const planted = fc.oneof(
  { weight: 8, arbitrary: fc.constantFrom(...BODIES) },
  { weight: 2, arbitrary: fc.constantFrom(...BODIES).map((x) => ({ x })) },
  { weight: 1, arbitrary: fc.constant({ link: '/x' }) },
  { weight: 1, arbitrary: fc.constant({ dir: true as const }) },
  { weight: 1, arbitrary: fc.uint8Array({ maxLength: 40 }).map((bytes) => ({ bytes })) },
);

/** A path that is a file in one entry and a folder in another cannot stand on a disk. */
function possible(tree: Tree): Tree {
  const paths = Object.keys(tree);
  return Object.fromEntries(Object.entries(tree).filter(([each]) => !paths.some((other) => other.startsWith(`${each}/`))));
}

describe('any tree', () => {
  it('[Q-23 A-18] gives an assembly or refusals in order, and never throws', async () => {
    const random = fc.dictionary(path, planted, { maxKeys: 12 }).map(possible);
    await fc.assert(
      fc.asyncProperty(random, async (tree) => {
        const result = await parseAssembly(snapshot(tree));
        expect(result.ok || result.refusals.length > 0).toBe(true);
        if (result.ok) expect(result.assembly.flows.length).toBeGreaterThan(0);
      }),
      { numRuns: 1_000 },
    );
  });

  it('[Q-23] a valid tree with a stranger in it is refused, wherever it stands', async () => {
    const folders = [
      '',
      'flows/',
      'flows/main/',
      'flows/main/2-work/',
      'flows/main/2-work/gate/',
      'flows/main/3-l/',
      'flows/main/3-l/1-c/',
      'flows/main/4-p/',
      'flows/main/4-p/risk/',
      'skills/',
      'subflows/',
      'subflows/oracle/',
      'flows/main/3-l/1-c/fix/',
    ];
    const stranger = fc
      .tuple(fc.constantFrom(...folders), fc.stringMatching(/^[a-z0-9~#]{1,6}\.(?:txt|js|yaml|MD|sh~|bak)$/u))
      .filter(([, name]) => !/^(?:gate|before|success|failure)\./u.test(name) || /~|bak/u.test(name));
    await fc.assert(
      fc.asyncProperty(stranger, async ([folder, name]) => {
        const result = await parseAssembly(snapshot({ ...REVIEW, [`${folder}${name}`]: 'x' }));
        expect(result.ok ? [] : result.refusals.map((refusal) => refusal.path)).toEqual([`${folder}${name}`]);
      }),
      { numRuns: 500 },
    );
  });

  it('[Q-23] a valid tree with one file emptied, removed or turned into a link still gives a tree or refusals', async () => {
    const change = fc.tuple(fc.constantFrom(...Object.keys(REVIEW)), fc.constantFrom('empty', 'remove', 'link', 'folder'));
    await fc.assert(
      fc.asyncProperty(change, async ([changed, how]) => {
        const { [changed]: _, ...others } = REVIEW;
        const tree =
          how === 'remove'
            ? others
            : { ...others, [changed]: how === 'empty' ? '' : how === 'link' ? { link: '/x' } : { dir: true as const } };
        const result = await parseAssembly(snapshot(tree));
        if (how === 'link')
          expect(result.ok ? [] : result.refusals.map(({ code, path: at }) => `${code} ${at}`)).toEqual([`symlink ${changed}`]);
        else expect(result.ok || result.refusals.every(({ message }) => message.length > 10)).toBe(true);
      }),
      { numRuns: 300 },
    );
  });
});
