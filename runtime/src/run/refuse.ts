import type { Refusal } from '@gated-flow/assembly';
import type { Plan } from '../plan/plan.js';
import { unrunParts } from '../plan/unrun.js';

/** What is read and checked, but not run by this version; told before the run is born. */
export function notRunYet({ flow }: Plan): readonly Refusal[] {
  return unrunParts(flow).map((part) => ({ code: 'request-invalid', ...part }));
}
