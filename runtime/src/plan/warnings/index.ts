import type { Warning } from '../plan.js';
import { carriageReturnInShebang } from './carriage-return.js';
import { checklistUnread } from './checklist-heading.js';
import { fanoutReachesNobody } from './fanout-options.js';
import { gateIgnoresOutput } from './gate-blind.js';
import { gateNeverShownToFail } from './gate-unproven.js';
import { interpreterMissing } from './interpreter-missing.js';
import { modelUnresolved } from './model-unresolved.js';
import { outputReopened } from './reopened-output.js';
import { schemaAcceptsAnything } from './open-schema.js';
import { skillNeverNamed } from './skill-unnamed.js';
import type { WarningRule, WarningScope } from './warning.js';

/** Everything that a check warns about (I-6), in the order in which it is printed. */
const WARNING_RULES: readonly WarningRule[] = [
  modelUnresolved,
  carriageReturnInShebang,
  interpreterMissing,
  schemaAcceptsAnything,
  checklistUnread,
  gateIgnoresOutput,
  outputReopened,
  skillNeverNamed,
  fanoutReachesNobody,
  gateNeverShownToFail,
];

export function warningsOf(scope: WarningScope): readonly Warning[] {
  return WARNING_RULES.flatMap((rule) => rule(scope));
}
