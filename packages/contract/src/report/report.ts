import { hash } from 'node:crypto';
import type { Action, Contract } from '../contract.js';
import { isWeaker } from '../contract.js';
import type { Findings, Unevaluated, Violation } from '../evaluate/findings.js';
import type { Content, RunFacts } from '../facts.js';

/** What one contract found in one run. Holds hashes of the input and the output, never their text. */
export interface ContractReport {
  readonly runId: string;
  readonly agent: string;
  /** The contract's path or URL, as it was named. */
  readonly contract: string;
  readonly contractVersion: string;
  readonly specVersion: string;
  /** ISO 8601. */
  readonly timestamp: string;
  /** A warning is a violation too (seed section 9). */
  readonly outcome: 'pass' | 'violation';
  /** The strongest action taken; null when nothing was violated. */
  readonly action: Action | null;
  readonly violations: readonly Violation[];
  readonly unevaluated: readonly Unevaluated[];
  /** What the agent may do: shown, never evaluated. */
  readonly can: readonly string[];
  readonly inputHash: string;
  readonly outputHash: string;
  readonly durationMs: number | null;
  readonly costUsd: number | null;
}

/** Which run a report is of. */
export interface RunIdentity {
  readonly runId: string;
  readonly timestamp: string;
}

export function reportOf(contract: Contract, identity: RunIdentity, facts: RunFacts, findings: Findings): ContractReport {
  return {
    ...identity,
    agent: contract.agent,
    contract: contract.path,
    contractVersion: contract.version,
    specVersion: contract.specVersion,
    outcome: findings.violations.length === 0 ? 'pass' : 'violation',
    action: strongestOf(findings.violations),
    violations: findings.violations,
    unevaluated: findings.unevaluated,
    can: contract.can,
    inputHash: hashOf(facts.input),
    outputHash: hashOf(facts.output),
    durationMs: facts.durationMs,
    costUsd: facts.costUsd,
  };
}

/** Whether the output has to be withheld. */
export function isBlocking({ action }: { readonly action: Action | null }): boolean {
  return action !== null && action !== 'warn';
}

function strongestOf(violations: readonly Violation[]): Action | null {
  return violations.reduce<Action | null>(
    (strongest, { action_taken }) => (strongest === null || isWeaker(strongest, action_taken) ? action_taken : strongest),
    null,
  );
}

/** Lower-case hex SHA-256 of the bytes; of no bytes when there are none. */
function hashOf(content: Content | null): string {
  return hash('sha256', content === null ? '' : (content.bytes ?? content.text));
}

/** The report when nothing could be undone: every `rollback` was a `block`, and says why (C-9). */
export function withoutUndo(report: ContractReport, why: string): ContractReport {
  const violations = report.violations.map((violation) =>
    violation.action_taken === 'rollback'
      ? { ...violation, action_taken: 'block' as const, details: `${violation.details} (not rolled back: ${why})` }
      : violation,
  );
  return { ...report, violations, action: strongestOf(violations) };
}

/** Why a clause was broken, with what its judge or plugin said of it: for people, never for an audit. */
export function whyBroken({ details, reason }: Pick<Violation, 'details' | 'reason'>): string {
  return reason === undefined || reason === '' ? details : `${details}: ${reason}`;
}

/**
 * What whoever did the work has to put right, one line a violation that withholds it, in the words of the clauses. For the next
 * turn of an agent that is held. It tells nothing about contracts, actions or judges.
 */
export function adviceFor({ violations }: ContractReport): string {
  return violations
    .filter(({ action_taken }) => action_taken !== 'warn')
    .map(({ clause_type, clause_text, details, reason }) => {
      const why = reason ?? details.replace(/^the judge \S+ (?:says FAIL|does not answer .*|could not be asked: .*)$/, 'it is not so');
      return `- ${ADVICE[clause_type] ?? ''}${clause_text}: ${why}`;
    })
    .join('\n');
}

const ADVICE: Readonly<Record<string, string>> = { must: 'You must ', must_not: 'You must not ' };
