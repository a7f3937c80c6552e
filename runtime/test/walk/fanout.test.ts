import { describe, expect, it } from 'vitest';
import { walkSequence } from '../../src/walk/sequence.js';
import type { ItemEnded } from '../../src/walk/walk.js';
import { file, held, plays, settle, SIGNAL, SUCCESS } from './performer.js';
import { fanout, stage } from './steps.js';

const given = { given: [file('list.json')] };
const F = '02-f';
const list = (...ids: string[]): string => JSON.stringify({ jobs: ids.map((id) => ({ id, input: { say: id } })) });
const request = (id: string): string => `{"id":"${id}","input":{"say":"${id}"}}`;

describe('a fan-out', () => {
  it('[G-6] runs one child an item, by id, and the next step gets one file each', async () => {
    const { performer, began, facts } = plays({ text: list('b', 'a-2', 'a') });
    const walked = await walkSequence([fanout(F, 2), stage('03-join')], given, performer);
    expect(began).toEqual([`1 a ${request('a')}`, `2 a-2 ${request('a-2')}`, `3 b ${request('b')}`, '03-join(a.txt, a-2.txt, b.txt)']);
    expect(facts).toEqual([
      { event: 'fanout_start', stage: F, items: 3, subflow: 'one', width: 2 },
      { event: 'fanout_done', stage: F, items: 3, concurrent: 2, cause: 'success' },
    ]);
    expect(walked.ending).toEqual(SUCCESS);
  });

  it('[G-6] an ordinary failure stops no sibling; all must succeed; the first by id is named', async () => {
    const { performer, began, facts } = plays({
      text: list('a', 'b', 'c', 'd'),
      item: (id) => (id === 'b' || id === 'd' ? { cause: 'refused', exit: 1, reason: `${id} cannot`, output: null } : {}),
    });
    const walked = await walkSequence([fanout(F, 1), stage('03-join')], given, performer);
    expect(began).toHaveLength(4);
    expect(walked).toEqual({
      ending: { cause: 'refused', exit: 1, reason: '2 of 4 items did not succeed; the first: b: b cannot' },
      stage: F,
      outputs: null,
    });
    expect(facts.at(-1)).toEqual({ event: 'fanout_done', stage: F, items: 4, concurrent: 1, cause: 'refused' });
  });

  it('[G-6] a single failure is told without a count, and without a reason by its cause', async () => {
    const { performer } = plays({ text: list('a', 'b'), item: (id) => (id === 'a' ? { cause: 'timeout', exit: 2, output: null } : {}) });
    expect(await walkSequence([fanout(F, 2)], given, performer)).toMatchObject({
      ending: { cause: 'timeout', exit: 2, reason: 'a: timeout' },
    });
  });

  it('[E-2 G-6] begins no item once the run is being stopped, and ends as that', async () => {
    const first = held<Partial<ItemEnded>>();
    let stop = false;
    const { performer, began, facts } = plays({
      text: list('a', 'b', 'c'),
      item: () => first.promise,
      stopped: () => (stop ? SIGNAL : null),
    });
    const walking = walkSequence([fanout(F, 1)], given, performer);
    await settle();
    stop = true;
    first.resolve({ cause: 'signal', exit: 130, output: null });
    expect(await walking).toEqual({ ending: SIGNAL, stage: F, outputs: null });
    expect(began).toHaveLength(1);
    expect(facts.at(-1)).toMatchObject({ event: 'fanout_done', cause: 'signal' });
  });

  it.each<[string, string | null]>([
    ['bytes that are no text', null],
    ['nothing', ''],
    ['no JSON', '{"jobs": [}'],
    ['an empty list', '{"jobs": []}'],
    ['a wrong id', list('A')],
  ])('[G-6] %s starts no child and is a fault', async (_name, text) => {
    const { performer, began, facts } = plays({ text });
    const walked = await walkSequence([fanout(F, 2), stage('03-join')], given, performer);
    expect(walked).toMatchObject({ ending: { cause: 'fault', exit: 2 }, stage: F, outputs: null });
    expect(walked.ending.reason).toMatch(/^The list cannot be worked through: .*\.$/);
    expect([began, facts]).toEqual([[], []]);
  });
});
