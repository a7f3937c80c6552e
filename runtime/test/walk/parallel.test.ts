import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Ending } from '../../src/stage/decide.js';
import { walkSequence } from '../../src/walk/sequence.js';
import { file, held, plays, settle, SIGNAL, SUCCESS } from './performer.js';
import { parallel, stage } from './steps.js';

const given = { given: [file('request.txt')] };
const P = '01-p';
const split = (width: number, names: readonly string[]) =>
  parallel(P, width, Object.fromEntries(names.map((name) => [name, [stage(`${P}/${name}`)]])));

describe('branches', () => {
  it('[G-5 S-3] get the same input and leave one file each, in name order', async () => {
    const { performer, began, facts } = plays();
    const walked = await walkSequence([split(32, ['b', 'a', 'Z', 'é']), stage('02-join')], given, performer);
    expect(began).toEqual([
      ...[`${P}/Z(request.txt)`, `${P}/a(request.txt)`, `${P}/b(request.txt)`, `${P}/é(request.txt)`],
      '02-join(Z.txt, a.txt, b.txt, é.txt)',
    ]);
    expect(facts).toEqual([
      { event: 'parallel_done', stage: P, branches: { Z: 'success', a: 'success', b: 'success', é: 'success' }, concurrent: 4 },
    ]);
    expect(walked.ending).toEqual(SUCCESS);
  });

  it('[G-5] a failure lets the running ones finish, keeps the others from starting, and the first in name order is the ending', async () => {
    const jobs = { a: held<Partial<Ending> | undefined>(), b: held<Partial<Ending> | undefined>() };
    const { performer, began, facts } = plays({
      stage: (path) => (path === `${P}/a` ? jobs.a.promise : path === `${P}/b` ? jobs.b.promise : undefined),
    });
    const walking = walkSequence([split(2, ['a', 'b', 'c', 'd']), stage('02-join')], given, performer);
    await settle();
    jobs.b.resolve({ cause: 'fault', exit: 2, reason: 'b broke' });
    await settle();
    expect(facts).toEqual([]);
    jobs.a.resolve({ cause: 'refused', exit: 1, reason: 'a refused' });
    expect(await walking).toEqual({ ending: { cause: 'refused', exit: 1, reason: 'a refused' }, stage: `${P}/a`, outputs: null });
    expect(began).toEqual([`${P}/a(request.txt)`, `${P}/b(request.txt)`]);
    expect(facts).toEqual([{ event: 'parallel_done', stage: P, branches: { a: 'refused', b: 'fault' }, concurrent: 2 }]);
  });

  it('[G-5] with a width of one they run one by one', async () => {
    const { performer, began, facts } = plays({ stage: (path) => (path === `${P}/b` ? { cause: 'blocked' } : undefined) });
    const walked = await walkSequence([split(1, ['a', 'b', 'c'])], given, performer);
    expect(walked).toMatchObject({ ending: { cause: 'blocked' }, stage: `${P}/b` });
    expect(began).toHaveLength(2);
    expect(facts).toMatchObject([{ branches: { a: 'success', b: 'blocked' }, concurrent: 1 }]);
  });

  it('[E-2] begins no branch once the run is being stopped, and says who ended how', async () => {
    const { performer, facts, began } = plays({ stopped: () => (began.length > 0 ? SIGNAL : null) });
    const walked = await walkSequence([split(1, ['a', 'b'])], given, performer);
    expect(walked).toEqual({ ending: SIGNAL, stage: P, outputs: null });
    expect(facts).toMatchObject([{ branches: { a: 'success' }, concurrent: 1 }]);
  });

  it('[G-5 R-2] inside a loop says which repeat it was', async () => {
    const { performer, facts, began } = plays();
    await walkSequence([split(2, ['a', 'b'])], { ...given, repeat: 2 }, performer);
    expect(facts).toMatchObject([{ event: 'parallel_done', repeat: 2 }]);
    expect(began[0]).toBe(`${P}/a#2(request.txt)`);
  });

  it('[G-5] a branch that rejects lets the others end before it does', async () => {
    const job = held<undefined>();
    const { performer, facts } = plays({
      stage: (path) => (path === `${P}/b` ? Promise.reject(new Error('no record')) : path === `${P}/a` ? job.promise : undefined),
    });
    let over = false;
    const walking = walkSequence([split(2, ['a', 'b', 'c'])], given, performer).finally(() => {
      over = true;
    });
    const outcome = expect(walking).rejects.toThrow('no record');
    await settle();
    expect(over).toBe(false);
    job.resolve(undefined);
    await outcome;
    expect(facts).toEqual([]);
  });

  it('[G-5] whatever fails: every branch ends at most once, and success needs all of them', async () => {
    const names = fc.uniqueArray(fc.stringMatching(/^[a-z]{1,4}$/), { minLength: 1, maxLength: 8 });
    await fc.assert(
      fc.asyncProperty(names, fc.integer({ min: 1, max: 4 }), fc.infiniteStream(fc.boolean()), async (branches, width, fails) => {
        const { performer, began, facts } = plays({ stage: () => (fails.next().value ? { cause: 'exhausted' } : undefined) });
        const walked = await walkSequence([split(width, branches)], given, performer);
        expect(new Set(began).size).toBe(began.length);
        const [done] = facts;
        const causes = done?.event === 'parallel_done' ? done.branches : {};
        expect(Object.keys(causes)).toHaveLength(began.length);
        const failing = Object.keys(causes)
          .filter((name) => causes[name] !== 'success')
          .sort();
        expect(walked.outputs === null).toBe(failing.length > 0);
        if (failing.length > 0) expect(walked.stage).toBe(`${P}/${failing[0]}`);
        else expect(walked.outputs?.map(({ name }) => name)).toEqual(branches.map((name) => `${name}.txt`).sort());
      }),
    );
  });
});
