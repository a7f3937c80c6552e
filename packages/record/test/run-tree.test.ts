import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Fact, RecordEvent, TreeNode } from '../src/index.js';
import { foldRun, runTree } from '../src/index.js';
import { EVERY, EVERY_FACT } from './every-event.js';

const stamp = (facts: readonly Fact[]): RecordEvent[] => facts.map((fact) => ({ ...fact, ts: '2026-07-30T14:22:08.000Z', prev: '' }));
const start = (stage: string, repeat?: number): Fact => ({ ...EVERY.stage_start, stage, ...(repeat === undefined ? {} : { repeat }) });
const end = (stage: string, repeat?: number): Fact => ({ ...EVERY.stage_end, stage, ...(repeat === undefined ? {} : { repeat }) });
const both = (stage: string, repeat?: number): Fact[] => [start(stage, repeat), end(stage, repeat)];
const loopDone = (stage: string): Fact => ({ ...EVERY.loop_done, stage });
const called = (stage: string, n: number, more: Partial<typeof EVERY.subflow_call> = {}): Fact => ({
  ...EVERY.subflow_call,
  stage,
  n,
  ...more,
});

/** A node a line, indented; a container with its type, calls with their number. */
const drawn = (facts: readonly Fact[]): string[] => {
  const view = foldRun(stamp([EVERY.run_start, ...facts]));
  if (view === null) throw new Error('no run_start');
  const draw = (node: TreeNode, depth: number): string[] => {
    const type = node.kind === 'container' ? ` ${node.type ?? '?'}${node.agent === null ? '' : ' with its agent'}` : '';
    const calls = node.kind === 'pass' || node.calls.length === 0 ? '' : ` calls ${node.calls.map(({ n }) => n).join(' ')}`;
    return [
      `${'  '.repeat(depth)}${node.name}${type}${calls}`,
      ...(node.kind === 'stage' ? [] : node.contents.flatMap((one) => draw(one, depth + 1))),
    ];
  };
  return runTree(view).flatMap((node) => draw(node, 0));
};

describe('the tree of a run', () => {
  const TABLE: readonly (readonly [string, readonly Fact[], readonly string[]])[] = [
    ['steps in the order of their numbers', [...both('10-c'), ...both('9-b'), ...both('01-a')], ['01-a', '9-b', '10-c']],
    [
      'a loop by its repeats',
      [...both('02-l/01-a', 1), ...both('02-l/02-b', 1), ...both('02-l/01-a', 2), ...both('02-l/02-b', 2), loopDone('02-l')],
      ['02-l LOOP', '  repeat 1', '    01-a', '    02-b', '  repeat 2', '    01-a', '    02-b'],
    ],
    [
      'a loop that is not over',
      [...both('02-l/01-a', 1), start('02-l/01-a', 2)],
      ['02-l ?', '  repeat 1', '    01-a', '  repeat 2', '    01-a'],
    ],
    [
      'a choice with its agent and what it chose',
      [start('03-c'), { ...EVERY.chose, stage: '03-c' }, end('03-c'), ...both('03-c/x/01-a'), ...both('03-c/x/02-b')],
      ['03-c CHOOSE with its agent', '  x', '    01-a', '    02-b'],
    ],
    ['a choice whose agent is at it', [start('03-c')], ['03-c']],
    [
      'branches by name, a branch of several stages too',
      [...both('04-p/b'), ...both('04-p/a/01-x'), { ...EVERY.parallel_done, stage: '04-p' }],
      ['04-p PARALLEL', '  a', '    01-x', '  b'],
    ],
    [
      'branches inside a loop',
      [...both('02-l/01-p/a', 1), { ...EVERY.parallel_done, stage: '02-l/01-p', repeat: 1 }, ...both('02-l/02-z', 1), loopDone('02-l')],
      ['02-l LOOP', '  repeat 1', '    01-p PARALLEL', '      a', '    02-z'],
    ],
    [
      'a loop that is an alternative',
      [
        ...both('03-c'),
        { ...EVERY.chose, stage: '03-c' },
        ...both('03-c/deep/01-a', 1),
        ...both('03-c/deep/01-a', 2),
        loopDone('03-c/deep'),
      ],
      ['03-c CHOOSE with its agent', '  deep LOOP', '    repeat 1', '      01-a', '    repeat 2', '      01-a'],
    ],
    [
      'a fan-out with its children, begun and done',
      [{ ...EVERY.fanout_start, stage: '06-m' }, called('06-m', 2), called('06-m', 1), { ...EVERY.fanout_done, stage: '06-m' }],
      ['06-m FANOUT calls 2 1'],
    ],
    ['a fan-out that has only begun', [{ ...EVERY.fanout_start, stage: '06-m' }], ['06-m FANOUT']],
    [
      'calls below the repeat that made them',
      [start('02-l/01-a', 2), called('02-l/01-a', 1, { repeat: 2 })],
      ['02-l ?', '  repeat 2', '    01-a calls 1'],
    ],
  ];
  it.each(TABLE)('[R-10 G-1] %s', (_, facts, expected) => {
    expect(drawn(facts)).toEqual(expected);
  });

  it('[R-10] holds every stage of any part of any record once', () => {
    const paths = ['01-a', '02-l', '02-l/01-a', '02-l/01-p/x', '02-l/01-p', '03-c/y', 'z', '03-c', ''];
    const place = fc.record({ stage: fc.constantFrom(...paths), repeat: fc.option(fc.integer({ min: 1, max: 3 }), { nil: undefined }) });
    const facts = fc.array(fc.tuple(fc.constantFrom(...EVERY_FACT), place).map(([fact, where]): Fact => ({ ...fact, ...where })));
    fc.assert(
      fc.property(facts, (some) => {
        const view = foldRun(stamp([EVERY.run_start, ...some]));
        const found: unknown[] = [];
        const gather = (node: TreeNode): void => {
          if (node.kind === 'stage') found.push(node.stage);
          else node.contents.forEach(gather);
          if (node.kind === 'container' && node.agent !== null) found.push(node.agent);
        };
        runTree(view ?? { stages: [], containers: [], subflows: [] }).forEach(gather);
        expect(found).toHaveLength(new Set(found).size);
        expect(new Set(found)).toEqual(new Set(view?.stages));
      }),
    );
  });
});
