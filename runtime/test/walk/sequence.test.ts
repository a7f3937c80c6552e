import { describe, expect, it } from 'vitest';
import { walkSequence } from '../../src/walk/sequence.js';
import { file, plays, SIGNAL, SUCCESS } from './performer.js';
import { choose, fanout, loop, parallel, stage } from './steps.js';

const given = { given: [file('request.txt')] };

describe('a sequence', () => {
  it('[G-1] each step is given what stands directly before it and nothing older', async () => {
    const { performer, began } = plays();
    await walkSequence([stage('01-a'), stage('02-b'), stage('03-c')], given, performer);
    expect(began).toEqual(['01-a(request.txt)', '02-b(a.txt)', '03-c(b.txt)']);
  });

  it('[G-1 S-3 G-3 G-5] containers stand in containers; nothing buried in one is seen outside, and only its last stage is asked', async () => {
    const { performer, began, facts } = plays({
      choose: (path) => ({ ok: true, name: path.endsWith('way') ? 'long' : 'x' }),
      stage: (_path, { question, repeat }) =>
        question === undefined ? undefined : { answer: repeat === 2 ? 'stop' : 'continue', reason: 'r' },
    });
    const inner = parallel('01-l/02-p', 1, {
      b: [stage('01-l/02-p/b')],
      a: [choose('01-l/02-p/a/01-way', { long: [stage('long-1'), stage('long-2')], short: [stage('short')] }), stage('01-l/02-p/a/02-sum')],
    });
    const outer = loop('01-l', 4, [stage('01-l/01-go'), inner, stage('01-l/03-ask')], 'More?');
    const walked = await walkSequence([outer, stage('02-end')], given, performer);
    const pass = (repeat: number, first: string): string[] => [
      ...[`01-l/01-go#${repeat}(${first})`, `01-l/02-p/a/01-way#${repeat}(go.txt)`, `long-1#${repeat}(go.txt)`],
      ...[`long-2#${repeat}(long-1.txt)`, `01-l/02-p/a/02-sum#${repeat}(long.txt)`, `01-l/02-p/b#${repeat}(go.txt)`],
      `01-l/03-ask#${repeat}(a.txt, b.txt) ?More?`,
    ];
    expect(began).toEqual([...pass(1, 'request.txt'), ...pass(2, 'request.txt, ask.txt'), '02-end(l.txt)']);
    expect(facts.map(({ event, stage }) => `${event} ${stage}`)).toEqual([
      ...['parallel_done 01-l/02-p', 'parallel_done 01-l/02-p', 'loop_done 01-l'],
    ]);
    expect(walked).toEqual({ ending: SUCCESS, stage: '02-end', outputs: [file('end.txt')] });
  });

  it('[G-2 G-3 G-5] a branch may be a loop, with a question and repeats of its own', async () => {
    const { performer, began } = plays({ stage: (_path, { question }) => (question ? { answer: 'stop', reason: 'r' } : undefined) });
    const split = parallel('01-p', 1, {
      x: [loop('01-p/x', 2, [stage('01-p/x/01-in')])],
      y: [loop('01-p/y', 2, [stage('01-p/y/01-in')], 'More?')],
    });
    await walkSequence([split, stage('02-end')], given, performer);
    expect(began).toEqual([
      ...['01-p/x/01-in#1(request.txt)', '01-p/x/01-in#2(request.txt, in.txt)', '01-p/y/01-in#1(request.txt) ?More?'],
      '02-end(x.txt, y.txt)',
    ]);
  });

  it.each([
    ['a stage', stage('01-a'), '01-a'],
    ['a loop', loop('01-a', 2, [stage('01-a/01-in')]), '01-a'],
    ['a choice', choose('01-a', { x: [stage('01-a/x')], y: [stage('01-a/y')] }), '01-a'],
    ['branches', parallel('01-a', 2, { x: [stage('01-a/x')] }), '01-a'],
    ['a fan-out', fanout('01-a', 2), '01-a'],
  ])('[E-2] nothing begins once the run is being stopped: %s', async (_name, step, where) => {
    const { performer, began } = plays({ stopped: () => SIGNAL });
    expect(await walkSequence([step, stage('02-end')], given, performer)).toEqual({ ending: SIGNAL, stage: where, outputs: null });
    expect(began).toEqual([]);
  });

  it('[G-1] no step at all is a defect of ours', async () => {
    await expect(walkSequence([], given, plays().performer)).rejects.toThrow('at least one step');
  });
});
