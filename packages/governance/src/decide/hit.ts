import type { Rule } from '../contract/contract.js';
import type { RuleHit } from '../events.js';
import { oneStepStricter } from '../events.js';

export interface Found {
  /** The part of the call that fits. */
  readonly matched: string;
  /** Why it is not certain that the rule fits; absent when it is. */
  readonly doubt?: string;
}

const RISKS = 'Nobody can tell beforehand what it does.';
const RECOVERY = 'Nobody can tell beforehand how it is undone.';

/** What a rule says of a call. In doubt it says it one step stricter, so that a doubt never lets through (V-3). */
export function hitOf(rule: Rule, { matched, doubt }: Found): RuleHit {
  const decision = doubt === undefined ? rule.decision : oneStepStricter(rule.decision);
  const reason = doubt === undefined ? rule.reason : `${rule.reason} ${doubt}`;
  const asks = decision === 'require_approval' ? { risks: rule.risks ?? RISKS, recovery: rule.recovery ?? RECOVERY } : {};
  const { id, target, scope } = rule;
  return { id, decision, reason, matched, ...(target !== undefined && { target }), ...(scope !== undefined && { scope }), ...asks };
}

export const TOOK_TOO_LONG = 'The expression took too long, so it counts as found.';
