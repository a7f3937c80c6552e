import type { StageScope } from '../stage/scope.js';
import type { Check } from './check.js';
import { checklistCheck } from './checklist.js';
import { claimCheck } from './claim.js';
import { contractCheck } from './contract.js';
import { gateCheck } from './gate.js';
import { outputCheck } from './output.js';
import { questionCheck } from './question.js';
import { schemaCheck } from './schema.js';
import { selectionCheck } from './selection.js';

/** What the checks of a stage are made of. */
export type Judged = Pick<StageScope, 'stage' | 'question' | 'select' | 'heldTo'> & {
  /** The governance contract asks for something of the output. */
  readonly claims?: boolean;
};

/** The checks of a stage in the order of a round; the first failure ends it (K-1). The answer to a question comes after all else (K-14). */
export function checksOf({ stage, question, select, heldTo, claims = false }: Judged): readonly Check[] {
  const held = heldTo.length > 0 ? [contractCheck] : [];
  if (select) return [selectionCheck(select), ...held];
  return [
    outputCheck,
    ...(stage.checklist.length > 0 ? [checklistCheck(stage.checklist)] : []),
    ...(stage.schema ? [schemaCheck(stage.schema)] : []),
    ...stage.gates.map(gateCheck),
    ...held,
    ...(claims ? [claimCheck] : []),
    ...(question === undefined ? [] : [questionCheck(question)]),
  ];
}
