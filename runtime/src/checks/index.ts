import type { Stage } from '@gated-flow/assembly';
import type { Check } from './check.js';
import { checklistCheck } from './checklist.js';
import { gateCheck } from './gate.js';
import { outputCheck } from './output.js';
import { schemaCheck } from './schema.js';

/** The checks of a stage in the order of a round; the first failure ends it (K-1). */
export function checksOf(stage: Stage): readonly Check[] {
  return [
    outputCheck,
    ...(stage.checklist.length > 0 ? [checklistCheck(stage.checklist)] : []),
    ...(stage.schema ? [schemaCheck(stage.schema)] : []),
    ...stage.gates.map(gateCheck),
  ];
}
