import type { Check } from './check.js';
import { outputDrift } from './output-drift.js';
import { written } from './written.js';

/** Nothing in it tells of what judges (P-2). */
const FRAME = 'Your output is not as it has to be. Put this right, then rewrite your output:\n\n';

/** Has the work the sources it needs (V-8), and does the output show what it claims (V-9)? After the contracts (K-14). */
export const claimCheck: Check = {
  name: 'claim',
  async run(round) {
    const { scope, entry, attempt, folder } = round;
    if (entry === null) throw new Error('the stage was not entered under the governance contract');
    const began = scope.ports.clock.elapsed();
    const { told, blocks } = await entry.judge({ number: attempt, folder });
    const verdict = await written(round, 'claim', { capture: 'claim.txt', text: told === '' ? null : FRAME + told, began });
    const drift = round.candidate === null ? null : await outputDrift(scope, round.candidate);
    if (drift) return { verdict: 'end', ending: drift };
    if (verdict.verdict !== 'fail' || !blocks) return verdict;
    const { reason, capture } = verdict;
    return { verdict: 'end', ending: { cause: 'rejected', exit: 1, failed: 'claim', reason, capture } };
  },
};
