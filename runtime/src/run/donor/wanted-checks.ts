import type { Stage } from '@gated-flow/assembly';
import { checksOf } from '../../checks/index.js';

/** The names of the checks that a whole round of a stage shows, as the record has them: the file of a gate, the name of any other. */
export function wantedChecks(stage: Stage): readonly string[] {
  return checksOf({ stage, question: undefined, select: undefined, heldTo: [] }).map(({ name, file }) => file ?? name);
}
