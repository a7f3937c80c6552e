import { stoppedBy } from '../stage/ending.js';
import type { Check } from './check.js';
import { outputDrift } from './output-drift.js';
import { viewsOf } from './view.js';
import { written } from './written.js';

/** Before the clauses that were not kept; nothing in it tells of what judges (P-2). */
const FRAME = 'Your output is not as it has to be. Put this right, then rewrite your output:\n\n';

/** The contracts over the stage, on a candidate that passed everything before (K-14, C-13). */
export const contractCheck: Check = {
  name: 'contract',
  async run(round) {
    const { scope, contracts } = round;
    const began = scope.ports.clock.elapsed();
    if (contracts === null) throw new Error('the contracts of the stage have not been opened');
    const stop = scope.stop;
    const output = scope.select ? null : await scope.ports.disk.read(scope.output);
    const judgement = await contracts.judge(output, round.attempt, () => stop.signal.aborted);
    if (judgement === null) return { verdict: 'end', ending: stoppedBy(stop) };
    const text = judgement.is === 'passed' ? null : judgement.advice === '' ? 'It could not be judged.' : FRAME + judgement.advice;
    const verdict = await written(round, 'contract', { capture: 'contract.txt', text, began, unevaluated: judgement.unevaluated });
    if (judgement.is === 'ended') return { verdict: 'end', ending: judgement.ending };
    const drift = round.candidate === null ? null : await outputDrift(scope, round.candidate);
    if (drift) return { verdict: 'end', ending: drift };
    if (verdict.verdict !== 'fail' || judgement.is !== 'failed') return verdict;
    const { terminal } = viewsOf(Buffer.from(judgement.told), scope.redactor);
    return { ...verdict, reason: terminal, spent: 'rejected' };
  },
};
