/** One recorded attempt under the checks of today: the ladder of a stage, with the recorded work in the agent's place (M-7). */
import { checksOf } from '../../checks/index.js';
import { holdStage } from '../../stage/contracts.js';
import { keepCandidate, seal } from '../../stage/candidate.js';
import { decide, type Ending, type Ladder, type Move, OUTSIDE, type StageFact, type StageState } from '../../stage/decide.js';
import { stopped } from '../../stage/ending.js';
import { layOut } from '../../stage/enter.js';
import { beginning, type Progress } from '../../stage/progress.js';
import { attempted, runCheck } from '../../stage/run-check.js';
import type { Given, StageScope } from '../../stage/scope.js';
import type { Attempt } from './attempts.js';

export interface JudgedAttempt {
  /** `success`: every check passed. `exhausted` or `rejected`: one said no. Anything else broke, or blocked. */
  readonly ending: Ending;
  readonly progress: Progress;
}

/** Lays the attempt out as it was, judges it once from the top, and keeps what was judged. Rejects only when the record cannot be written. */
export async function judgeAttempt(scope: StageScope, given: readonly Given[], recorded: Attempt): Promise<JudgedAttempt> {
  const checks = checksOf(scope);
  const ladder: Ladder = { hooks: NO_HOOKS, checks: checks.length, retries: 0, question: null, selects: false, reuses: false };
  const progress = beginning();
  for (const [item, mark] of recorded.marks) progress.marks.set(item, mark);

  const perform = async (move: Move, state: StageState): Promise<StageFact> => {
    const stop = scope.stop.reason();
    if (stop) return { fact: 'ended', ending: stopped(stop) };
    switch (move.move) {
      case 'start-agent': {
        const barred = await holdStage({ scope, progress });
        return barred ? { fact: 'ended', ending: barred } : { fact: 'agent-stopped' };
      }
      case 'run-check':
        return runCheck({ scope, progress, checks, state: { ...state, attempt: recorded.attempt } }, move.index);
      case 'seal': {
        const sealed = await seal(scope, recorded.attempt, progress.judged ?? '');
        progress.kept = sealed.kept;
        return sealed.fact;
      }
      default:
        throw new Error(`a replay does not ${move.move}`);
    }
  };
  const entered = await attempted(scope, async () => {
    await layOut(scope, given);
    if (recorded.output !== null) await scope.ports.disk.copy(recorded.output, scope.output);
    return { fact: 'entered' };
  });
  let [state, move] = decide(ladder, OUTSIDE, entered);
  while (move.move !== 'settle') {
    const [next, at] = [move, state];
    const fact = await attempted(scope, () => perform(next, at));
    [state, move] = decide(ladder, state, fact);
  }
  await progress.contracts?.leave();
  if (move.ending.cause !== 'success') progress.kept = await keepCandidate(scope, recorded.attempt);
  return { ending: move.ending, progress };
}

/** Hooks act on the world, and the world is no longer what it was: none is run. */
const NO_HOOKS: Ladder['hooks'] = { before: false, success: false, failure: false };
