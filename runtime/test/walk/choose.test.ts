import { describe, expect, it } from 'vitest';
import { walkSequence } from '../../src/walk/sequence.js';
import { file, plays, REFUSED, SIGNAL, SUCCESS } from './performer.js';
import { choose, parallel, stage } from './steps.js';

const given = { given: [file('request.txt')] };
const C = choose('01-c', { fix: [stage('01-c/fix')], wait: [stage('01-c/wait/01-sit'), stage('01-c/wait/02-rise')] });

describe('a choice', () => {
  it('[G-4] walks the one that was chosen, on its own input, and passes it on under its name', async () => {
    const { performer, began } = plays({ choose: () => ({ ok: true, name: 'wait' }) });
    const walked = await walkSequence([C, stage('02-end')], given, performer);
    expect(began).toEqual(['01-c(request.txt)', '01-c/wait/01-sit(request.txt)', '01-c/wait/02-rise(sit.txt)', '02-end(wait.txt)']);
    expect(walked.ending).toEqual(SUCCESS);
  });

  it('[G-4] ends when nothing was chosen', async () => {
    const { performer, began } = plays({ choose: () => ({ ok: false, ending: REFUSED }) });
    expect(await walkSequence([C, stage('02-end')], given, performer)).toEqual({ ending: REFUSED, stage: '01-c', outputs: null });
    expect(began).toEqual(['01-c(request.txt)']);
  });

  it('[G-4] ends as the chosen one ends', async () => {
    const { performer, began } = plays({
      choose: () => ({ ok: true, name: 'wait' }),
      stage: (path) => (path.endsWith('sit') ? { cause: 'exhausted' } : undefined),
    });
    const walked = await walkSequence([C, stage('02-end')], given, performer);
    expect(walked).toMatchObject({ ending: { cause: 'exhausted' }, stage: '01-c/wait/01-sit', outputs: null });
    expect(began).toHaveLength(2);
  });

  it('[E-2] begins no alternative once the run is being stopped', async () => {
    const { performer, began } = plays({ choose: () => ({ ok: true, name: 'fix' }), stopped: () => (began.length > 0 ? SIGNAL : null) });
    expect(await walkSequence([C], given, performer)).toEqual({ ending: SIGNAL, stage: '01-c/fix', outputs: null });
  });

  it('[G-4] a name that is none is a defect of ours', async () => {
    const { performer } = plays({ choose: () => ({ ok: true, name: 'other' }) });
    await expect(walkSequence([C], given, performer)).rejects.toThrow('01-c has no alternative other');
  });

  it('[G-4 S-3] several files come to it from a PARALLEL, each under its branch', async () => {
    const { performer, began } = plays({ choose: () => ({ ok: true, name: 'fix' }) });
    const split = parallel('01-p', 2, { cost: [stage('01-p/cost')], risk: [stage('01-p/risk/01-a'), stage('01-p/risk/02-b')] });
    await walkSequence([split, C], given, performer);
    expect(began.slice(-2)).toEqual(['01-c(cost.txt, risk.txt)', '01-c/fix(cost.txt, risk.txt)']);
  });
});
