/** Performs one check of a round, and what a throw makes of a stage: shared by a stage that runs and one that is replayed. */
import type { Check } from '../checks/check.js';
import { hashOutput } from '../checks/output-drift.js';
import { broken } from '../run/broken.js';
import { attemptFolder } from './candidate.js';
import { overgrown } from './control.js';
import type { StageFact, StageState } from './decide.js';
import type { Progress } from './progress.js';
import type { StageScope } from './scope.js';

export interface Performing {
  readonly scope: StageScope;
  readonly progress: Progress;
  readonly checks: readonly Check[];
  readonly state: StageState;
}

/** The verdict of one check over what stands at `$OUTPUT`; with the first one of a round its hash is taken (K-11). */
export async function runCheck({ scope, progress, checks, state }: Performing, index: number): Promise<StageFact> {
  const { attempt, answer, selection } = state;
  const check = checks[index];
  if (!check) throw new Error(`there is no check ${index}`);
  if (index === 0) progress.judged = await hashOutput(scope);
  scope.watch({ activity: 'check', stage: scope.where.stage, attempt, check: check.file ?? check.name });
  const folder = attemptFolder(scope, attempt);
  const round = {
    scope,
    attempt,
    folder,
    marks: progress.marks,
    candidate: progress.judged,
    answer,
    selection,
    contracts: progress.contracts,
    entry: progress.entry,
  };
  progress.beyondOutput ||= check.name !== 'output' && check.name !== 'question';
  const verdict = await check.run(round);
  const full = await overgrown(scope);
  if (full && verdict.verdict !== 'end') return { fact: 'ended', ending: full };
  switch (verdict.verdict) {
    case 'pass':
      return { fact: 'check-passed' };
    case 'end':
      return { fact: 'ended', ending: verdict.ending };
    case 'fail':
      scope.watch({ activity: 'sent-back', stage: scope.where.stage, attempt, check: check.file ?? check.name, reason: verdict.reason });
      return {
        fact: 'check-failed',
        failed: check.file ?? check.name,
        text: verdict.text,
        reason: verdict.reason,
        capture: verdict.capture,
        ...(verdict.spent === undefined ? {} : { spent: verdict.spent }),
      };
  }
}

/** Broken machinery is an ending like any other, so that every started stage ends once. */
export async function attempted(scope: StageScope, act: () => Promise<StageFact>): Promise<StageFact> {
  try {
    return await act();
  } catch (error) {
    return { fact: 'ended', ending: broken(error, { onActivity: scope.watch }) };
  }
}
