import type { GovernanceContract, Rule } from '../contract/contract.js';

/**
 * What an agent reads before it forms a call, under `# Permissions` (V-5): what needs leave with its target, risk and
 * recovery, and what is not done at all. Null where there is nothing to say. It says nothing of who asks whom, or how.
 */
export function permissionsText({ preTool, fileTool }: GovernanceContract): string | null {
  const rules = [...preTool, ...fileTool].filter(({ told }) => told !== undefined);
  const asking = grouped(rules.filter(({ decision }) => decision === 'require_approval'));
  const denied = grouped(rules.filter(({ decision }) => decision === 'deny'));
  const parts = [
    ...(asking.length === 0 ? [] : [`${ASKS}\n\n${asking.map(askingLine).join('\n')}`]),
    ...(denied.length === 0 ? [] : [`These are not done:\n\n${denied.map(deniedLine).join('\n')}`]),
  ];
  return parts.length === 0 ? null : parts.join('\n\n');
}

const ASKS =
  'These need leave, which a person gives after the call is formed. Leave is for one call only: a call that is repeated or changed asks again. Form such a call only where the task needs it.';

/** Rules that disclose the same are one line. */
function grouped(rules: readonly Rule[]): readonly (readonly [Rule, ...Rule[]])[] {
  const groups = new Map<string, [Rule, ...Rule[]]>();
  for (const rule of rules) {
    const key = JSON.stringify([rule.pack ?? rule.id, rule.target, rule.risks, rule.recovery]);
    const group = groups.get(key);
    if (group) group.push(rule);
    else groups.set(key, [rule]);
  }
  return [...groups.values()];
}

function askingLine(rules: readonly [Rule, ...Rule[]]): string {
  const [{ target, scope, risks, recovery }] = rules;
  const details = [
    ...(target === undefined ? [] : [`Target: ${target}.`]),
    ...(scope === undefined ? [] : [`For: ${scope}.`]),
    `Risk: ${risks ?? 'not known'}. Recovery: ${recovery ?? 'not known'}.`,
  ];
  return `- ${toldOf(rules)}. ${details.join(' ')}`;
}

function deniedLine(rules: readonly [Rule, ...Rule[]]): string {
  return `- ${toldOf(rules)}. ${rules[0].reason}`;
}

function toldOf(rules: readonly Rule[]): string {
  return [...new Set(rules.map(({ told = '' }) => told))].join(', ').replace(/\s+/g, ' ');
}
