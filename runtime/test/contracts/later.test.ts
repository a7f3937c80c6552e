/** Contracts when work is taken up again: reused, resumed, replayed. */
import { afterAll, describe, expect, it } from 'vitest';
import { clear, ground, eventsOf } from '../resume/ground.js';
import { clearYards, yard } from '../reuse/yard.js';
import { stage, stops, wrote } from '../run/ground.js';
import { contract, NO_FOO } from './ground.js';

afterAll(clear);
afterAll(clearYards);

const TREE = { '01-a/STAGE.md': stage('Write.', 'retries: 0\n'), '01-a/x.contract.yaml': NO_FOO };

describe('[C-13] earlier work', () => {
  it('[C-13 G-12 C-10] that is reused is judged again, with an entry of its own', async () => {
    const at = yard(TREE, [wrote('01-a', 'bar'), stops('01-a')]);
    expect((await at.go()).outcome.ending.cause).toBe('success');
    const again = await at.go();
    expect(again.reused()).toEqual(['01-a']);
    expect(again.read('audit.jsonl').trimEnd().split('\n')).toHaveLength(1);
    expect(again.told('check').map(({ check }) => check)).toContain('contract');
  });

  it('[C-13 M-7] that is replayed is judged by the contract of today', async () => {
    const at = ground(TREE);
    expect((await at.run([wrote('01-a', 'bar'), stops('01-a')])).cause).toBe('success');
    at.plant({ '01-a/x.contract.yaml': contract('must_not: [contain "bar"]\n') });
    const result = await at.replay();
    if (!result.ok) throw new Error('refused');
    expect(result.attempts).toMatchObject([{ stage: '01-a', now: { verdict: 'failed', check: 'contract' }, outcome: 'changed' }]);
  });

  it('[C-13 G-11] that was rejected is done again by a resumed run, under the contract', async () => {
    const at = ground({ '00-z.md': stage(), ...TREE });
    const donor = await at.run([wrote('00-z', 'z'), stops('00-z'), wrote('01-a', 'foo'), stops('01-a')]);
    expect(donor.cause).toBe('rejected');
    const resumed = await at.resume([wrote('01-a', 'bar'), stops('01-a')]);
    if (!resumed.ok || resumed.outcome === null) throw new Error('refused');
    expect(resumed.outcome.ending.cause).toBe('success');
    expect(
      eventsOf(resumed.outcome.folder)
        .filter(({ event }) => event === 'check')
        .at(-1),
    ).toMatchObject({ check: 'contract', exit: 0 });
  });
});
