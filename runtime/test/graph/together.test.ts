/** What runs at once shares a record, a budget, a clock and sometimes a $TMP: with real programs on the real disk. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { verifyRun } from '@gated-flow/record';
import { afterAll, describe, expect, it } from 'vitest';
import { type Ask, calls, clear, go, leaping, type Line, type Ran, stage, stops, type Tree, wrote } from '../run/ground.js';

afterAll(clear);

const bash = (name: string, command: string, more: Line = {}): Line => calls(name, 'bash', { command }, more);
const end: Tree = { '02-end.md': stage() };
const ends = [wrote('02-end', 'e'), stops('02-end')];

function branches(tree: Tree, width: number): Tree {
  const inside = Object.entries(tree).map(([path, value]) => [`01-all/${path}`, value]);
  return { '01-all/PARALLEL.md': `---\nwidth: ${width}\n---\n`, ...Object.fromEntries(inside), ...end };
}

const causes = (ran: Ran): Record<string, string> =>
  Object.fromEntries(ran.told('stage_end').map(({ stage: name = '', cause }) => [name, cause]));

describe('parallel branches', () => {
  it('[G-5] after a failure the running ones finish and no other starts', async () => {
    const names = ['a', 'b', 'c', 'd'];
    const ran = await go(branches(Object.fromEntries(names.map((name) => [`${name}.md`, stage()])), 2), [
      calls('01-all/a', 'refuse', { reason: 'no' }),
      bash('01-all/b', 'until grep -q \'"cause":"refused"\' ../home/runs/*/record.jsonl; do sleep 0.05; done; echo b > "$OUTPUT"'),
      wrote('01-all/c', 'c'),
      ...ends,
    ]);
    expect(ran.outcome.ending).toMatchObject({ cause: 'refused', exit: 1 });
    expect(causes(ran)).toEqual({ '01-all/a': 'refused', '01-all/b': 'success' });
    expect(ran.told('parallel_done')).toMatchObject([{ branches: { a: 'refused', b: 'success' }, concurrent: 2 }]);
  });

  it('[S-5 E-2 L-6] what one leaves running in a $TMP that all share is ended with it, and nothing of the others', async () => {
    const ran = await go(
      branches({ 'a/01-x.md': stage(), 'a/02-y.md': stage(), 'b.md': stage() }, 2),
      [
        bash('01-all/b', 'touch "$TMP/b"; until test -e "$TMP/go"; do sleep 0.05; done; echo whole > "$OUTPUT"'),
        bash(
          '01-all/a/01-x',
          'until test -e "$TMP/b"; do sleep 0.05; done; setsid sh -c \'echo $$ > "$TMP/pid"; exec sleep 300\' & ' +
            'until test -s "$TMP/pid"; do sleep 0.05; done; echo x > "$OUTPUT"',
        ),
        stops('01-all/a/01-x'),
        bash('01-all/a/02-y', 'cut -d" " -f3 "/proc/$(cat "$TMP/pid")/stat" > "$OUTPUT" 2> /dev/null; touch "$TMP/go"'),
        ...ends,
      ],
      { flowFront: 'tmp: flow\n' },
    );
    expect(ran.cause()).toBe('success');
    // Gone, or a zombie that nobody has taken note of yet.
    expect(['', 'Z\n']).toContain(ran.read('stages/01-all/a/02-y/1/1/output.txt'));
    expect(ran.read('stages/01-all/b/1/1/output.txt')).toBe('whole\n');
  });

  it('[R-1] a record that somebody changes meanwhile makes a fault of every branch that ends later', async () => {
    const ran = await go(branches({ 'a.md': stage(), 'b.md': stage() }, 2), [
      bash('01-all/a', 'for f in ../home/runs/*/record.jsonl; do echo >> "$f"; done; echo x > "$OUTPUT"'),
      bash('01-all/b', 'until test -s ../home/runs/*/stages/01-all/a/1/1/output.txt; do sleep 0.05; done; echo x > "$OUTPUT"'),
      ...ends,
    ]);
    expect(causes(ran)).toEqual({ '01-all/a': 'fault', '01-all/b': 'fault' });
    expect(ran.outcome.ending).toMatchObject({ cause: 'fault', exit: 2 });
    expect(ran.outcome.ending.reason).toContain('changed by someone else');
    expect((await verifyRun(ran.outcome.folder)).verified).toBe(false);
  });

  it('[R-1] thirty-two of them write one record, and none takes the others’ lines for somebody’s', async () => {
    const names = Array.from({ length: 32 }, (_, index) => `b${index + 1}`);
    const ran = await go(branches(Object.fromEntries(names.map((name) => [`${name}.md`, stage()])), 32), [
      ...names.flatMap((name, index) => [wrote(`01-all/${name}`, name, { delay_ms: index % 4 })]),
      ...ends,
    ]);
    expect(ran.cause()).toBe('success');
    expect(ran.told('parallel_done')).toMatchObject([{ concurrent: 32 }]);
    expect(await verifyRun(ran.outcome.folder)).toMatchObject({ verified: true, differences: [] });
  });
});

/** How many children of the fan-out `02-fan` have asked a model. */
function begunIn(runs: string): number {
  const [run = ''] = existsSync(runs) ? readdirSync(runs).filter((name) => !name.includes('.')) : [];
  return [1, 2, 3, 4].filter((n) => {
    const record = join(runs, run, `stages/02-fan/1/1/subflows/${n}/record.jsonl`);
    return existsSync(record) && readFileSync(record, 'utf8').includes('"event":"prompt"');
  }).length;
}

describe('the children of a fan-out', () => {
  const ITEMS = JSON.stringify({ items: ['a', 'b', 'c', 'd'].map((id) => ({ id, input: {} })) });
  const tree = (width: number): Tree => ({
    '01-list/STAGE.md': stage(),
    '01-list/schema.json': '{"type":"object"}',
    '02-fan/FANOUT.md': `---\nitems: items\nsubflow: work\nwidth: ${width}\nmax-items: 4\n---\n`,
    '03-end.md': stage(),
  });
  const root: Tree = { 'subflows/work/FLOW.md': '---\ndescription: Works\n---\n', 'subflows/work/01-do.md': stage() };
  const play = (width: number, work: Line, ask: Ask): Promise<Ran> =>
    go(tree(width), [wrote('01-list', ITEMS), stops('01-list'), work, stops('01-do')], { root, ...ask });

  it('[I-5 G-6] share the budget of the run: whoever comes after it is spent asks no model', async () => {
    const ran = await play(1, wrote('01-do', 'x'), { costUsd: 0.3, invocation: { maxCost: '1.4' } });
    expect(ran.outcome.ending).toMatchObject({ cause: 'rejected', exit: 1 });
    expect(ran.outcome.ending.reason).toContain('--max-cost');
    expect(ran.told('subflow_call').map(({ item, cause }) => [item, cause])).toEqual([
      ['a', 'success'],
      ...['b', 'c', 'd'].map((item) => [item, 'rejected']),
    ]);
    expect(ran.childFacts.filter(({ event }) => event === 'turn')).toHaveLength(3);
    expect(await verifyRun(ran.outcome.folder)).toMatchObject({ verified: true, differences: [] });
  });

  it('[I-5 G-6 E-1] share the deadline of the run: those under way end with it, and no other starts', async () => {
    const ran = await play(2, wrote('01-do', 'x', { delay_ms: 3_600_000 }), {
      invocation: { deadline: '2' },
      machine: (machine, root) => leaping(machine, () => begunIn(join(root, 'home/runs')) === 2),
    });
    expect(ran.outcome.ending).toMatchObject({ cause: 'timeout', exit: 1 });
    expect(
      ran
        .told('subflow_call')
        .map(({ item, cause }) => [item, cause])
        .sort(),
    ).toEqual([
      ['a', 'timeout'],
      ['b', 'timeout'],
    ]);
    expect(ran.told('fanout_done')).toMatchObject([{ cause: 'timeout', concurrent: 2 }]);
    expect(await verifyRun(ran.outcome.folder)).toMatchObject({ verified: true, differences: [] });
  });
});
