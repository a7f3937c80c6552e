import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { walkSequence } from '../../src/walk/sequence.js';
import { file, plays, SIGNAL, SUCCESS } from './performer.js';
import { loop, stage } from './steps.js';

const DO = '01-l/01-do';
const SAY = '01-l/02-say';
const steps = [stage(DO), stage(SAY)];
const given = { given: [file('request.txt')] };
const says = (answer: 'continue' | 'stop') => ({ answer, reason: `${answer}, because` });

describe('a loop', () => {
  it('[G-3] without a question runs that many times; from the second on the first step sees the input and what was left', async () => {
    const { performer, began, facts } = plays();
    const walked = await walkSequence([loop('01-l', 3, steps), stage('02-end')], given, performer);
    expect(began).toEqual([
      ...[`${DO}#1(request.txt)`, `${SAY}#1(do.txt)`],
      ...[`${DO}#2(request.txt, say.txt)`, `${SAY}#2(do.txt)`],
      ...[`${DO}#3(request.txt, say.txt)`, `${SAY}#3(do.txt)`],
      '02-end(l.txt)',
    ]);
    expect(facts).toEqual([{ event: 'loop_done', stage: '01-l', repeats: 3, ended_by: 'limit' }]);
    expect(walked).toEqual({ ending: SUCCESS, stage: '02-end', outputs: [file('end.txt')] });
  });

  it('[G-3] asks its question of the last step, and ends with stop; what it leaves carries its name', async () => {
    const { performer, began, facts } = plays({
      stage: (path, { repeat }) => (path === SAY ? says(repeat === 2 ? 'stop' : 'continue') : undefined),
    });
    const walked = await walkSequence([loop('01-l', 5, steps, 'Ready?')], given, performer);
    expect(began).toEqual([
      ...[`${DO}#1(request.txt)`, `${SAY}#1(do.txt) ?Ready?`],
      ...[`${DO}#2(request.txt, say.txt)`, `${SAY}#2(do.txt) ?Ready?`],
    ]);
    expect(facts).toEqual([{ event: 'loop_done', stage: '01-l', repeats: 2, ended_by: 'stop', reason: 'stop, because' }]);
    expect(walked).toEqual({ ending: SUCCESS, stage: '01-l', outputs: [{ ...file('say.txt'), name: 'l.txt' }] });
  });

  it('[G-3] is rejected when the answer at the last repeat is still to go on', async () => {
    const { performer, facts } = plays({ stage: (path) => (path === SAY ? says('continue') : undefined) });
    const walked = await walkSequence([loop('01-l', 2, steps, 'Ready?'), stage('02-end')], given, performer);
    expect(walked).toMatchObject({ ending: { cause: 'rejected', exit: 1 }, stage: '01-l', outputs: null });
    expect(walked.ending.reason).toBe('After the last of 2 repeats the answer was still to go on: continue, because');
    expect(facts).toEqual([{ event: 'loop_done', stage: '01-l', repeats: 2, ended_by: 'limit', reason: 'continue, because' }]);
  });

  it('[G-3] stop at the last repeat is a success', async () => {
    const { performer, facts } = plays({ stage: (path) => (path === SAY ? says('stop') : undefined) });
    const walked = await walkSequence([loop('01-l', 1, steps, 'Ready?')], given, performer);
    expect(walked.ending).toEqual(SUCCESS);
    expect(facts).toMatchObject([{ repeats: 1, ended_by: 'stop' }]);
  });

  it.each(['refused', 'exhausted', 'rejected', 'blocked', 'timeout', 'signal', 'fault'] as const)(
    '[E-1 G-3] a stage that ends as %s ends the loop, which says so',
    async (cause) => {
      const { performer, began, facts } = plays({
        stage: (path, { repeat }) => (path === DO && repeat === 2 ? { cause, exit: 1, reason: 'why' } : undefined),
      });
      const walked = await walkSequence([loop('01-l', 3, steps), stage('02-end')], given, performer);
      expect(walked).toEqual({ ending: { cause, exit: 1, reason: 'why' }, stage: DO, outputs: null });
      expect(began.at(-1)).toBe(`${DO}#2(request.txt, say.txt)`);
      expect(facts).toEqual([{ event: 'loop_done', stage: '01-l', repeats: 2, ended_by: cause, reason: 'why' }]);
    },
  );

  it('[E-2] begins no repeat once the run is being stopped', async () => {
    const { performer, began, facts } = plays({ stopped: () => (began.length >= 2 ? SIGNAL : null) });
    const walked = await walkSequence([loop('01-l', 3, steps)], given, performer);
    expect(walked).toEqual({ ending: SIGNAL, stage: DO, outputs: null });
    expect(began).toHaveLength(2);
    expect(facts).toMatchObject([{ repeats: 2, ended_by: 'signal' }]);
  });

  it('[G-3] never runs more often than its author wrote, and says once how it ended', async () => {
    const answers = fc.infiniteStream(fc.constantFrom('continue', 'continue', 'stop', 'fail'));
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 8 }), fc.boolean(), answers, async (repeat, asks, stream) => {
        const { performer, began, facts } = plays({
          stage(path) {
            const said = stream.next().value;
            if (said === 'fail') return { cause: 'exhausted' };
            return path === SAY && asks && (said === 'continue' || said === 'stop') ? says(said) : undefined;
          },
        });
        const walked = await walkSequence([loop('01-l', repeat, steps, asks ? 'Ready?' : undefined)], given, performer);
        expect(began.length).toBeLessThanOrEqual(2 * repeat);
        expect(facts).toHaveLength(1);
        expect(walked.outputs === null).toBe(walked.ending.cause !== 'success');
        expect(began.filter((step) => step.endsWith('?Ready?')).length).toBe(
          asks ? began.filter((step) => step.startsWith(SAY)).length : 0,
        );
      }),
    );
  });
});
