/** A governance contract as it is decided by: typed, its patterns compiled, several files joined to one. */
import type { Pattern } from '@gated-flow/patterns';
import type { Decision, StageName } from '../events.js';
import type { Glob } from '../match/glob.js';
import type { Names } from '../match/names.js';

/** All parts that are there must fit (V-2). */
export interface Matcher {
  readonly tool?: Names;
  readonly program?: Names;
  /** Found in the arguments joined by one space. */
  readonly args?: Pattern;
  readonly path?: Glob;
  readonly text?: Pattern;
}

export interface Rule {
  /** `push` of a contract itself, `install/npm-ci` of a pack. */
  readonly id: string;
  readonly decision: Decision;
  readonly matcher: Matcher;
  /** The matcher as it is written, for people. */
  readonly written: Readonly<Record<string, string>>;
  readonly reason: string;
  readonly risks?: string;
  readonly recovery?: string;
  readonly target?: string;
  readonly scope?: string;
  /** The name of the pack it comes from. */
  readonly pack?: string;
  /** In the words an agent is told beforehand; absent where the agent is told nothing. */
  readonly told?: string;
}

export const RISK_LEVELS = ['R0', 'R1', 'R2', 'R3', 'R4', 'R5'] as const;
export type RiskLevel = (typeof RISK_LEVELS)[number];

export const NEEDS = ['none', 'unknown', 'optional', 'recommended', 'required'] as const;
/** Weakest first. */
export type Need = (typeof NEEDS)[number];

export interface Route {
  readonly id: string;
  readonly match: Pattern;
  readonly written: string;
  readonly task_type?: string;
  readonly project_lane?: string;
  readonly risk_level?: RiskLevel;
  readonly required_gates: readonly string[];
  readonly external_search_need?: Need;
  readonly memory_need?: Need;
  readonly claim_gate_need?: Need;
  readonly human_confirmation_need?: Need;
}

export interface Lane {
  readonly name: string;
  readonly paths: readonly Glob[];
  /** The index file as it is written, and as a glob. */
  readonly index: { readonly path: string; readonly glob: Glob } | null;
}

/** What one file says about memory (V-7). */
export interface MemoryPolicy {
  readonly metaFirst: boolean;
  /** The lane that this file declares for the run. */
  readonly lane: string | null;
  readonly lanes: readonly Lane[];
}

/** What one file says about claims (V-9). */
export interface ClaimPolicy {
  readonly terms: readonly string[];
  /** `downgrade` holds the agent and asks; `block` ends the stage. */
  readonly decision: 'downgrade' | 'block';
}

export interface Acceptance {
  readonly id: string;
  /** A shell command that ends with 0 when the contract is accepted here. */
  readonly command: string;
}

export interface ContractFile {
  readonly path: string;
  readonly sha256: string;
}

/** A section or stage that is kept and that nobody here enforces (V-1). */
export interface NotEnforced {
  readonly file: string;
  /** Keys joined by a dot: `stages.review`, `rewrite_semantics`. */
  readonly section: string;
  readonly value: unknown;
}

export type Profile = 'compact_runtime' | 'extended_governance';

export interface GovernanceContract {
  /** Of the first file. */
  readonly name: string;
  readonly lane: string | null;
  readonly files: readonly ContractFile[];
  /** The stages that some file has, known ones only. */
  readonly stages: ReadonlySet<StageName>;
  readonly profile: Profile;
  readonly expandOnlyFor: readonly string[];
  readonly routes: readonly Route[];
  readonly preTool: readonly Rule[];
  readonly fileTool: readonly Rule[];
  readonly memory: readonly MemoryPolicy[];
  readonly research: readonly { readonly match: Pattern | null; readonly written: string }[];
  readonly claims: readonly ClaimPolicy[];
  /** How long an authorization holds, in seconds: the shortest of all files. */
  readonly expiresSeconds: number;
  readonly acceptance: readonly Acceptance[];
  readonly notEnforced: readonly NotEnforced[];
}

/** One thing wrong with a contract; line and column from 1. */
export interface GovernanceFault {
  readonly file: string;
  readonly line: number;
  readonly column: number;
  readonly message: string;
}

export type GovernanceResult =
  { readonly ok: true; readonly contract: GovernanceContract } | { readonly ok: false; readonly faults: readonly GovernanceFault[] };
