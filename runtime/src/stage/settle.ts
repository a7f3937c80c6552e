import { RECORD } from '@gated-flow/record';
import { DiskError } from '../ports/disk.js';
import { keepCandidate } from './candidate.js';
import type { Ending } from './decide.js';
import { fault } from './ending.js';
import type { Progress } from './progress.js';
import type { StageResult } from './run.js';
import type { StageScope } from './scope.js';

/**
 * The end of a stage: what was produced is kept, the record is looked at and made durable, and only then does a seal
 * count. The scratch goes last; a clean-up that fails is recorded and changes nothing (S-5).
 */
export async function settle(
  scope: StageScope,
  progress: Progress,
  { ending, attempts }: { ending: Ending; attempts: number },
): Promise<StageResult> {
  const { recorder } = scope;
  const success = ending.cause === 'success';
  if (!success) progress.kept = await keptOrEarlier(scope, progress, attempts);
  const final = (await recorder.intact()) ? ending : fault('The record was changed by someone else while the run was going on.', RECORD);
  const sealed = success && final === ending;
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
    attempts: progress.session === null ? 0 : attempts,
    ...(session === undefined ? {} : { session }),
  });
  await Promise.all([recorder.sync(), tearDown(scope)]);
  return { ending: final, output: sealed ? progress.kept : null };
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

async function tearDown(scope: StageScope): Promise<void> {
  try {
    await scope.ports.disk.remove(scope.nest);
  } catch (error) {
    if (!(error instanceof DiskError)) throw error;
    scope.recorder.append({ event: 'tmp_teardown', ...scope.where, reason: `${error.operation}: ${error.code}` });
  }
}
