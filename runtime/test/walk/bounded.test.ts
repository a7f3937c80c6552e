import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bounded } from '../../src/walk/bounded.js';
import { held, settle } from './performer.js';

/** Begins numbers that end by hand. */
function work(count: number) {
  const items = Array.from({ length: count }, (_, index) => index);
  const jobs = items.map(() => held<string>());
  const began: number[] = [];
  const run = (item: number): Promise<string> => {
    began.push(item);
    return jobs[item]?.promise ?? Promise.reject(new Error('no such job'));
  };
  return { items, jobs, began, run };
}

describe('bounded', () => {
  it('[G-5 G-6] begins in order, never more than the width at once, and gives results in order, however they end', async () => {
    const cases = fc.record({
      count: fc.integer({ min: 0, max: 12 }),
      width: fc.integer({ min: 1, max: 6 }),
      picks: fc.infiniteStream(fc.nat()),
    });
    await fc.assert(
      fc.asyncProperty(cases, async ({ count, width, picks }) => {
        const { items, jobs, began, run } = work(count);
        const all = bounded(items, { width, goOn: () => true, run });
        const running = new Set<number>();
        for (let seen = 0, ended = 0; ended < count; ended += 1) {
          await settle();
          for (; seen < began.length; seen += 1) running.add(began[seen] ?? -1);
          expect(running.size).toBe(Math.min(width, count - ended));
          const candidates = [...running];
          const next = candidates[picks.next().value % candidates.length] ?? -1;
          running.delete(next);
          jobs[next]?.resolve(`r${next}`);
        }
        const { results, concurrent } = await all;
        expect(began).toEqual(items);
        expect(results).toEqual(items.map((index) => ({ index, result: `r${index}` })));
        expect(concurrent).toBe(Math.min(width, count));
      }),
    );
  });

  it('[G-5] begins no other once it may not, and waits for those under way', async () => {
    const { items, jobs, began, run } = work(5);
    let open = true;
    const all = bounded(items, { width: 2, goOn: () => open, run });
    await settle();
    open = false;
    jobs[1]?.resolve('one');
    await settle();
    jobs[0]?.resolve('zero');
    expect(await all).toEqual({
      results: [
        { index: 0, result: 'zero' },
        { index: 1, result: 'one' },
      ],
      concurrent: 2,
    });
    expect(began).toEqual([0, 1]);
  });

  it('[G-5] begins nothing at all when it may not', async () => {
    const { items, began, run } = work(3);
    expect(await bounded(items, { width: 2, goOn: () => false, run })).toEqual({ results: [], concurrent: 0 });
    expect(began).toEqual([]);
  });

  it('[G-5] rejects only after those under way have ended, and begins no other', async () => {
    const { items, jobs, began, run } = work(5);
    let over = false;
    const all = bounded(items, { width: 3, goOn: () => true, run }).finally(() => {
      over = true;
    });
    const outcome = expect(all).rejects.toThrow('disk');
    await settle();
    jobs[1]?.reject(new Error('disk'));
    await settle();
    expect(over).toBe(false);
    jobs[2]?.resolve('two');
    await settle();
    expect(over).toBe(false);
    jobs[0]?.resolve('zero');
    await outcome;
    expect(began).toEqual([0, 1, 2]);
  });

  it('[G-5] a throw before anything is awaited is a rejection as well', async () => {
    const began: number[] = [];
    const run = (item: number): Promise<string> => {
      began.push(item);
      throw new Error('at once');
    };
    await expect(bounded([1, 2, 3], { width: 2, goOn: () => true, run })).rejects.toThrow('at once');
    expect(began).toEqual([1]);
  });
});
