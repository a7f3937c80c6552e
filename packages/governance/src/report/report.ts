/** What of a contract is enforced here, stage by stage, as data (V-13). */
import type { GovernanceContract, NotEnforced, Rule } from '../contract/contract.js';
import type { Decision, StageName } from '../events.js';
import { STAGE_NAMES } from '../events.js';
import { TOOL_NAMES } from '../match/names.js';
import { permissionsText } from '../authorization/permissions.js';

/** Whether denials on a stage's surface are honoured: seen in a probe, not looked at, or impossible (V-10). */
export type Honoured = 'observed' | 'unverified' | 'unsupported';
export type Surfaces = Readonly<Partial<Record<StageName, Honoured>>>;

export type Enforcement = 'enforced' | 'advisory' | 'not enforced here';

export interface ReportedRule {
  readonly id: string;
  /** `downgrade` and `block` are those of claims; `receipt` of a route, `sources` of research, and so on. */
  readonly decision: Decision | 'downgrade' | 'block' | 'receipt' | 'sources' | 'lane';
  readonly matches: Readonly<Record<string, string>>;
  readonly reason?: string;
  readonly risks?: string;
  readonly recovery?: string;
}

export interface ReportedStage {
  readonly stage: string;
  readonly enforcement: Enforcement;
  /** One sentence where it is not enforced. */
  readonly why?: string;
  readonly rules: readonly ReportedRule[];
}

export interface GovernanceReport {
  readonly contract: string;
  readonly files: GovernanceContract['files'];
  readonly lane: string | null;
  /** `local_validated` once its acceptance passed here, and unchanged since (V-13). */
  readonly standing: 'source_prior' | 'local_validated';
  /** RFC 3339; with `local_validated`. */
  readonly validated?: string;
  readonly stages: readonly ReportedStage[];
  /** Sections that are kept, and that nobody here enforces. */
  readonly notEnforced: readonly string[];
  readonly expiresSeconds: number;
  readonly acceptance: GovernanceContract['acceptance'];
  readonly toolNames: Readonly<Record<string, readonly string[]>>;
  readonly permissions: string | null;
}

/** When the acceptance of exactly these files passed here. */
export interface Validation {
  readonly at: string;
  readonly sha256: readonly string[];
}

export interface Reporting {
  /** Stages that are not named are `unsupported`. */
  readonly surfaces: Surfaces;
  readonly validation?: Validation;
}

export function reportOf(contract: GovernanceContract, { surfaces, validation }: Reporting): GovernanceReport {
  const { name, files, lane, expiresSeconds, acceptance } = contract;
  const unknown = unknownStages(contract.notEnforced);
  const isValidated = validation !== undefined && files.every(({ sha256 }) => validation.sha256.includes(sha256));
  return {
    ...{ contract: name, files, lane },
    standing: isValidated ? 'local_validated' : 'source_prior',
    ...(isValidated && { validated: validation.at }),
    stages: [
      ...STAGE_NAMES.filter((stage) => contract.stages.has(stage)).map((stage) =>
        stageReport(stage, contract, surfaces[stage] ?? 'unsupported'),
      ),
      ...unknown.map((stage) => ({ stage, enforcement: 'not enforced here' as const, why: 'This stage is not known here.', rules: [] })),
    ],
    notEnforced: contract.notEnforced.map(({ section }) => section).filter((section) => !unknown.includes(section.slice('stages.'.length))),
    ...{ expiresSeconds, acceptance, toolNames: TOOL_NAMES },
    permissions: permissionsText(contract),
  };
}

function unknownStages(notEnforced: readonly NotEnforced[]): readonly string[] {
  return notEnforced.flatMap(({ section }) => {
    const name = /^stages\.([^.]+)$/.exec(section)?.[1];
    return name === undefined ? [] : [name];
  });
}

const ENFORCEMENT: Readonly<Record<Honoured, readonly [Enforcement, string?]>> = {
  observed: ['enforced'],
  unverified: ['advisory', 'Nobody has seen yet that a denial is honoured here.'],
  unsupported: ['not enforced here', 'A denial would not be honoured here.'],
};

function stageReport(stage: StageName, contract: GovernanceContract, honoured: Honoured): ReportedStage {
  const [enforcement, why] = ENFORCEMENT[honoured];
  return { stage, enforcement, ...(why !== undefined && { why }), rules: rulesIn(stage, contract) };
}

function rulesIn(stage: StageName, contract: GovernanceContract): readonly ReportedRule[] {
  switch (stage) {
    case 'pre_tool':
      return contract.preTool.map(ruleReport);
    case 'schema_aware_file_tool':
      return contract.fileTool.map(ruleReport);
    case 'prompt_stage':
      return contract.routes.map(({ id, written, risk_level = 'R0', required_gates }) => ({
        id,
        decision: 'receipt',
        matches: { match: written, risk_level, ...(required_gates.length > 0 && { required_gates: required_gates.join(', ') }) },
      }));
    case 'memory_access':
      return contract.memory.flatMap(({ metaFirst, lanes }) =>
        lanes.map(({ name, paths, index }) => ({
          id: name,
          decision: 'lane' as const,
          matches: {
            paths: paths.map(({ written }) => written).join(', '),
            ...(index && { index: index.path }),
            ...(metaFirst && { meta_first: 'the index before everything else' }),
          },
        })),
      );
    case 'external_research':
      return contract.research.map(({ written }, index) => ({
        id: `research-${index + 1}`,
        decision: 'sources',
        matches: { match: written === '' ? 'always' : written },
      }));
    case 'final_claim':
      return contract.claims.map(({ terms, decision }, index) => ({
        id: `claims-${index + 1}`,
        decision,
        matches: { terms: terms.join(', ') },
      }));
  }
}

function ruleReport({ id, decision, written, reason, risks, recovery }: Rule): ReportedRule {
  const asks = decision === 'require_approval' ? { risks, recovery } : {};
  return { id, decision, matches: written, reason, ...asks };
}
