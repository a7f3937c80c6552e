import { compareBytes } from '@gated-flow/text';
import { DiskError } from '../ports/disk.js';
import { removeScratch } from '../record/remove-scratch.js';
import { broken } from '../run/broken.js';
import { keepCandidate } from './candidate.js';
import type { Ending, Selection, StageState } from './decide.js';
import { recordChanged } from './ending.js';
import type { Progress } from './progress.js';
import type { StageResult } from './run.js';
import type { StageScope } from './scope.js';

/** Where the ladder has come to, with the ending that counts. */
type Settling = Pick<StageState, 'attempt' | 'answer' | 'selection'> & { readonly ending: Ending };

/**
 * The end of a stage: what was produced is kept, the record is looked at and made durable, and only then does a seal
 * count. The scratch goes last; a clean-up that fails is recorded and changes nothing (S-5).
 */
export async function settle(
  scope: StageScope,
  progress: Progress,
  { ending, attempt, answer, selection }: Settling,
): Promise<StageResult> {
  const { recorder } = scope;
  const success = ending.cause === 'success';
  if (!success) progress.kept = await keptOrEarlier(scope, progress, attempt);
  const final = await judgeRecord(scope, ending);
  const good = success && final === ending;
  const sealed = good && selection === null;
  const selected = good ? selection : null;
  if (selected) chose(scope, selected);
  const session = progress.session?.digest();
  progress.session?.close();
  recorder.append({
    event: 'stage_end',
    ...scope.where,
    exit: final.exit,
    cause: final.cause,
    ...(final.reason === undefined ? {} : { reason: scope.redactor.text(final.reason) }),
    ...(final.failed === undefined ? {} : { failed: final.failed }),
    ...(progress.kept === null ? {} : { output: progress.kept }),
    sealed,
    judged: progress.judged !== null && progress.beyondOutput,
    attempts: progress.session === null ? 0 : attempt,
    ...(session === undefined ? {} : { session }),
  });
  await Promise.all([recorder.sync(), removeScratch(scope.nest, { disk: scope.ports.disk, recorder }, scope.where)]);
  return {
    ending: final,
    output: sealed ? progress.kept : null,
    ...(good && answer ? { answer } : {}),
    ...(selected ? { selection: selected } : {}),
  };
}

/** Before the end of the choice, which nothing of it may follow. */
function chose({ recorder, redactor, where, select = [] }: StageScope, { name, reason }: Selection): void {
  const declined = select.filter((other) => other !== name).sort(compareBytes);
  recorder.append({ event: 'chose', ...where, chose: name, declined, reason: redactor.text(reason) });
}

/** A record that was changed, or cannot be looked at, makes every ending a fault. */
async function judgeRecord({ recorder, watch }: StageScope, ending: Ending): Promise<Ending> {
  try {
    if (await recorder.intact()) return ending;
    return recordChanged();
  } catch (error) {
    return broken(error, { onActivity: watch });
  }
}

/** A copy that fails here must not hide the ending that is being recorded. */
async function keptOrEarlier(scope: StageScope, progress: Progress, attempts: number): Promise<Progress['kept']> {
  try {
    return (await keepCandidate(scope, attempts)) ?? progress.kept;
  } catch (error) {
    if (error instanceof DiskError) return progress.kept;
    throw error;
  }
}
