import { expect, it } from 'vitest';
import { prepare } from '../../src/plan/prepare.js';
import type { Invocation } from '../../src/plan/invocation.js';
import type { PlanRow } from '../../src/plan/plan.js';
import { assembly, ground, invocation, plant, sh, stage, type Tree } from './ground.js';

const JSON_SCHEMA = '{"type":"object","required":["a"]}';
const MD_SCHEMA = '---\nverdict: str\n---\n';

async function rows(tree: Tree, said: Partial<Invocation> = {}): Promise<readonly PlanRow[]> {
  const at = ground(tree);
  plant(at.root, { 'work/in.log': 'x' });
  const outcome = await prepare(invocation(said), at.ports);
  if (!outcome.ok) throw new Error(JSON.stringify(outcome.refusals));
  return outcome.plan.rows;
}

/** `stage: inputs → output`, in order. */
async function picture(tree: Tree, said?: Partial<Invocation>): Promise<readonly string[]> {
  return (await rows(tree, said)).map((row) =>
    row.output === null ? `${row.stage}: ${row.type}` : `${row.stage}: ${row.input.join(' ')} → ${row.output}`,
  );
}

it('[G-10 S-4] a line of stages: names without numbers, extensions by schema, the request at the first alone', async () => {
  const tree = assembly({
    '01-a/STAGE.md': stage(),
    '01-a/schema.json': JSON_SCHEMA,
    '02-b/STAGE.md': stage(),
    '02-b/schema.md': MD_SCHEMA,
    '10-c.md': stage(),
  });
  expect(await picture(tree)).toEqual(['01-a: request.txt → a.json', '02-b: a.json → b.md', '10-c: b.md → c.txt']);
  expect((await picture(tree, { request: { words: ['@in.log'], none: false } }))[0]).toBe('01-a: request.log → a.json');
});

it('[G-10 G-3 S-3] a loop: its own input, from the second repeat the last output too; after it the loop’s name', async () => {
  const loop = (repeat: number) =>
    assembly({
      '01-a.md': stage(),
      '02-l/LOOP.md': `---\nrepeat: ${repeat}\n---\n`,
      '02-l/01-x.md': stage(),
      '02-l/02-y/STAGE.md': stage(),
      '02-l/02-y/schema.json': JSON_SCHEMA,
      '03-z.md': stage(),
    });
  expect(await picture(loop(2))).toEqual([
    '01-a: request.txt → a.txt',
    '02-l: LOOP',
    '02-l/01-x: a.txt y.json → x.txt',
    '02-l/02-y: x.txt → y.json',
    '03-z: l.json → z.txt',
  ]);
  expect((await picture(loop(1)))[2]).toBe('02-l/01-x: a.txt → x.txt');
});

it('[G-10 G-4] a choice: each alternative the same input, after it any of their names', async () => {
  expect(
    await picture(
      assembly({
        '01-c/CHOOSE.md': '---\n---\n- `small` — s\n- `big` — b\n- `again` — l\n',
        '01-c/small.md': stage(),
        '01-c/big/01-p.md': stage(),
        '01-c/big/02-q/STAGE.md': stage(),
        '01-c/big/02-q/schema.json': JSON_SCHEMA,
        '01-c/again/LOOP.md': '---\nrepeat: 3\n---\n',
        '01-c/again/01-r/STAGE.md': stage(),
        '01-c/again/01-r/schema.md': MD_SCHEMA,
        '02-end.md': stage(),
      }),
    ),
  ).toEqual([
    '01-c: CHOOSE',
    '01-c/again: LOOP',
    '01-c/again/01-r: r.md request.txt → r.md',
    '01-c/big/01-p: request.txt → p.txt',
    '01-c/big/02-q: p.txt → q.json',
    '01-c/small: request.txt → small.txt',
    '02-end: again.md big.json small.txt → end.txt',
  ]);
});

it('[G-10 G-5] a parallel: one file per branch, in name order', async () => {
  expect(
    await picture(assembly({ '01-p/PARALLEL.md': '---\n---\n', '01-p/zeal.md': stage(), '01-p/été.md': stage(), '02-end.md': stage() })),
  ).toEqual([
    '01-p: PARALLEL',
    '01-p/zeal: request.txt → zeal.txt',
    '01-p/été: request.txt → été.txt',
    '02-end: zeal.txt été.txt → end.txt',
  ]);
});

it('[G-10 G-6] a fan-out: a file per id, with the subflow’s extension', async () => {
  const tree = assembly(
    {
      '01-list/STAGE.md': stage(),
      '01-list/schema.json': JSON_SCHEMA,
      '02-each/FANOUT.md': '---\nitems: a\nsubflow: one\nwidth: 2\nmax-items: 9\n---\n',
      '03-end.md': stage(),
    },
    {
      'subflows/one/FLOW.md': '---\ndescription: d\n---\n',
      'subflows/one/01-x/STAGE.md': stage(),
      'subflows/one/01-x/schema.md': MD_SCHEMA,
    },
  );
  expect(await picture(tree)).toEqual(['01-list: request.txt → list.json', '02-each: FANOUT', '03-end: <id>.md → end.txt']);
});

it('[G-10] files: the sentinel, then the recognised ones in name order', async () => {
  const found = await rows(
    assembly({
      '01-a/STAGE.md': stage(),
      '01-a/schema.json': JSON_SCHEMA,
      '01-a/gate/02-b.sh': sh('exit 0'),
      '01-a/gate/01-lint.sh': sh('exit 0'),
      '01-a/success': sh('exit 0'),
      '01-a/before.sh': sh('exit 0'),
      '01-a/README.md': 'x',
      '01-a/lib/words.txt': 'x',
      '02-b.md': stage(),
    }),
  );
  expect(found.map(({ files }) => files)).toEqual([
    ['STAGE.md', 'before.sh', 'gate/01-lint.sh', 'gate/02-b.sh', 'schema.json', 'success'],
    ['02-b.md'],
  ]);
});

it('[G-10] the files of a lone stage are spelled the same', async () => {
  const found = await rows({ 'STAGE.md': stage(), 'schema.json': JSON_SCHEMA, 'gate.sh': sh('exit 0') });
  expect(found.map(({ files, output }) => [files, output])).toEqual([[['STAGE.md', 'gate.sh', 'schema.json'], 'a.json']]);
});

it('[G-9] skills: of one name the narrowest wins, in name order', async () => {
  const skill = (description: string) => `---\ndescription: ${description}\n---\nx\n`;
  const found = await rows(
    assembly(
      {
        'skills/both/SKILL.md': skill('flow'),
        '01-l/LOOP.md': '---\nrepeat: 1\n---\n',
        '01-l/skills/inner/SKILL.md': skill('loop'),
        '01-l/01-x/STAGE.md': stage(),
        '01-l/01-x/skills/both/SKILL.md': skill('stage'),
        '02-end.md': stage(),
      },
      { 'skills/both/SKILL.md': skill('assembly'), 'skills/zed/SKILL.md': skill('assembly') },
    ),
  );
  const seen = (at: string) => found.find(({ stage }) => stage === at)?.skills.map(({ name, description }) => `${name}:${description}`);
  expect(seen('01-l/01-x')).toEqual(['both:stage', 'inner:loop', 'zed:assembly']);
  expect(seen('02-end')).toEqual(['both:flow', 'zed:assembly']);
});

it('[A-2 G-9 O-4] one stage alone keeps what the containers around it say and offer', async () => {
  const tree = assembly({
    '01-l/LOOP.md': '---\nrepeat: 2\nretries: 9\n---\n',
    '01-l/skills/inner/SKILL.md': '---\ndescription: d\n---\nx\n',
    '01-l/01-x.md': stage(),
    '01-l/02-y.md': stage(),
    '02-end.md': stage(),
  });
  const found = await rows(tree, { target: '../a/flows/main/01-l/01-x.md' });
  expect(found).toMatchObject([
    { stage: '01-l/01-x', input: ['request.txt'], options: { retries: { value: 9, from: 'container' } }, skills: [{ name: 'inner' }] },
  ]);
});
