/** How an earlier run judged its attempts, as its record tells it (M-7). Pure. */
import type { Stage } from '@gated-flow/assembly';
import type { CheckView, RoundView, StageView } from '@gated-flow/record';
import { wantedChecks } from '../donor/wanted-checks.js';

export type VerdictName = 'passed' | 'failed' | 'blocked' | 'fault' | 'timeout';

export interface ThenVerdict {
  /** `open`: the record does not say, because the round was cut off. */
  readonly verdict: VerdictName | 'open';
  /** The check that did not pass. */
  readonly check?: string;
  /** Its captured text, relative to the donor's folder. */
  readonly capture?: string;
}

/** `stage` is the stage as it was then; a loop's question is left out, since only an agent answers it. */
export function thenVerdict({ round, checks }: RoundView, { ending }: StageView, stage: Stage | undefined): ThenVerdict {
  const judged = checks.filter(({ check }) => check !== 'question');
  const failed = judged.find(({ passed }) => !passed);
  if (failed === undefined) return { verdict: isWhole(judged, stage) ? 'passed' : 'open' };
  const check = failed.file ?? failed.check;
  const cause = ending?.attempts === round && ending.failed === check ? ending.cause : 'exhausted';
  const verdict = cause === 'blocked' || cause === 'fault' || cause === 'timeout' ? cause : 'failed';
  return { verdict, check, capture: failed.capture };
}

function isWhole(checks: readonly CheckView[], stage: Stage | undefined): boolean {
  const shown = new Set(checks.map(({ check, file }) => file ?? check));
  return stage !== undefined && wantedChecks(stage).every((name) => shown.has(name));
}
