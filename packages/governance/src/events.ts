/** What the governance contract is asked, and what it answers. The words are the seed's. */
import type { ShellResult } from '@gated-flow/shell';

/** Weakest first (V-2). */
export const DECISIONS = ['allow', 'warn', 'require_approval', 'deny'] as const;
export type Decision = (typeof DECISIONS)[number];

export const STAGE_NAMES = [
  'prompt_stage',
  'pre_tool',
  'schema_aware_file_tool',
  'memory_access',
  'external_research',
  'final_claim',
] as const;
/** The stages of a governance contract, which are moments of an agent's work and not the stages of a flow. */
export type StageName = (typeof STAGE_NAMES)[number];

export type GovernanceEvent = PromptEvent | PreToolEvent | FileToolEvent | MemoryEvent | ResearchEvent | ClaimEvent;

/** An agent is about to start. */
export interface PromptEvent {
  readonly stage: 'prompt_stage';
  /** The stage's body. */
  readonly body: string;
  /** The beginnings of its inputs; only the first 64 KiB of each are looked at. */
  readonly inputs: readonly string[];
  /** Whether the agent can change nothing: without a route such a stage needs no receipt. */
  readonly readOnly: boolean;
}

/** A tool that is no file tool is about to run. */
export interface PreToolEvent {
  readonly stage: 'pre_tool';
  /** As its host calls it: `bash`, `PowerShell`, `mcp__github__merge`. */
  readonly tool: string;
  /** The arguments as they were given: data, never executed. */
  readonly arguments: unknown;
  /** The shell text the call runs, with what a parser made of it; absent when the call runs none. */
  readonly command?: CommandRead;
}

export interface CommandRead {
  readonly text: string;
  readonly read: ShellResult;
}

export type FileOperation = 'read' | 'write' | 'edit';

/** A tool that reads or changes one file is about to run. Its content is never looked at (V-3). */
export interface FileToolEvent {
  readonly stage: 'schema_aware_file_tool';
  readonly tool: string;
  readonly operation: FileOperation;
  /** Every name the file has: as given, by its slot, relative to the working tree, behind links. A rule that fits one of them counts. */
  readonly paths: readonly string[];
}

/** A file of a memory is about to be read or written. */
export interface MemoryEvent {
  readonly stage: 'memory_access';
  readonly operation: FileOperation;
  readonly paths: readonly string[];
  /** The lane the run declares; null when it declares none. */
  readonly lane: string | null;
  /** The index files that were read so far, as the contract spells them. */
  readonly indexesRead: readonly string[];
}

/** An agent works on something: does it need sources? */
export interface ResearchEvent {
  readonly stage: 'external_research';
  readonly texts: readonly string[];
}

/** An agent is about to finish with an output. */
export interface ClaimEvent {
  readonly stage: 'final_claim';
  readonly output: string;
  readonly format: 'markdown' | 'json';
}

/** One rule that fits an event. */
export interface RuleHit {
  /** As it is recorded: `push` of the contract itself, `install/npm-install` of a pack. */
  readonly id: string;
  readonly decision: Decision;
  /** One sentence: what the rule saw. */
  readonly reason: string;
  /** What has to be disclosed before approval. */
  readonly risks?: string;
  readonly recovery?: string;
  readonly target?: string;
  readonly scope?: string;
  /** The part of the call the rule fits: a command's text, a path. */
  readonly matched?: string;
}

/** The answer to an event: the strictest decision of all rules that fit, and those rules, strictest first. */
export interface Verdict {
  readonly decision: Decision;
  readonly hits: readonly RuleHit[];
}

/** Whether the first decision is stricter than the second. */
export function isStricter(first: Decision, second: Decision): boolean {
  return DECISIONS.indexOf(first) > DECISIONS.indexOf(second);
}

/** The strictest of the decisions, whatever their order; `allow` of none. */
export function strictest(decisions: readonly Decision[]): Decision {
  return decisions.reduce<Decision>((found, next) => (isStricter(next, found) ? next : found), 'allow');
}

/** For what cannot be told for sure (V-3): `allow` becomes `warn`, `deny` stays. */
export function oneStepStricter(decision: Decision): Decision {
  return DECISIONS[DECISIONS.indexOf(decision) + 1] ?? 'deny';
}

/** The verdict over the hits; those of the same decision stay in their order, and what says the same is said once. */
export function verdictOf(hits: readonly RuleHit[]): Verdict {
  const distinct = new Map<string, RuleHit>();
  for (const hit of hits) {
    const key = JSON.stringify([hit.id, hit.decision, hit.target, hit.scope, hit.risks, hit.recovery]);
    if (!distinct.has(key)) distinct.set(key, hit);
  }
  const ordered = [...distinct.values()].sort((a, b) => DECISIONS.indexOf(b.decision) - DECISIONS.indexOf(a.decision));
  return { decision: ordered[0]?.decision ?? 'allow', hits: ordered };
}
