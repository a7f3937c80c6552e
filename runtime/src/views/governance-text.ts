/** What of a contract holds here, for people (V-13). */
import type { GovernanceReport, ReportedRule, ReportedStage } from '@gated-flow/governance';
import { escapeName } from '@gated-flow/text';
import type { Paint } from '../cli/color.js';

export interface Denials {
  readonly host: string;
  readonly denial_payload_schema: object;
  readonly blocked_exit_code: number;
  readonly approval: string;
  readonly bypass_surfaces: readonly string[];
}

export function governanceText(report: GovernanceReport, denials: readonly Denials[], { bold, dim, green, yellow }: Paint): string {
  const { contract, files, lane, standing, validated, stages, notEnforced, expiresSeconds, acceptance, toolNames, permissions } = report;
  const passed = standing === 'local_validated' ? `local_validated ${validated ?? ''}` : 'source_prior';
  const lines = [
    `${bold(escapeName(contract))} · lane ${escapeName(lane ?? 'none')} · ${passed}`,
    ...files.map(({ path, sha256 }) => `  ${escapeName(path)}   ${dim(`sha256 ${sha256.slice(0, 12)}`)}`),
    ...stages.flatMap((stage) => ['', ...stageLines(stage)]),
    ...(notEnforced.length === 0 ? [] : ['', `${yellow('not enforced here')}, and kept: ${notEnforced.map(escapeName).join(', ')}`]),
    '',
    `An authorization holds for ${expiresSeconds} s and for one call.`,
    acceptance.length === 0
      ? 'It names no acceptance, so it stays source_prior.'
      : `Acceptance: ${acceptance.map(({ id, command }) => `${escapeName(id)} (${escapeName(command)})`).join(', ')}`,
    '',
    bold('How a denial is honoured'),
    ...denials.map(
      ({ host, blocked_exit_code, approval, bypass_surfaces }) =>
        `  ${host}: exit ${blocked_exit_code}; approval: ${approval}; not seen: ${bypass_surfaces.join(', ')}`,
    ),
    '',
    bold('Tool names'),
    ...Object.entries(toolNames).map(([name, hosts]) => `  ${name}: ${hosts.join(', ')}`),
    ...(permissions === null
      ? []
      : ['', bold('What an agent reads beforehand'), ...permissions.split('\n').map((line) => `  ${escapeName(line)}`)]),
  ];
  return `${lines.join('\n')}\n`;

  function stageLines({ stage, enforcement, why, rules }: ReportedStage): readonly string[] {
    const colour = enforcement === 'enforced' ? green : yellow;
    return [`${bold(escapeName(stage))}   ${colour(enforcement)}${why === undefined ? '' : `   ${why}`}`, ...table(rules)];
  }
}

function table(rules: readonly ReportedRule[]): readonly string[] {
  const widest = Math.min(32, Math.max(0, ...rules.map(({ id }) => id.length)));
  return rules.map(({ id, decision, matches }) => {
    const parts = Object.entries(matches).map(([key, value]) => `${key} ${escapeName(value)}`);
    return `  ${escapeName(id).padEnd(widest)}  ${decision.padEnd(16)}  ${parts.join('  ')}`.trimEnd();
  });
}
