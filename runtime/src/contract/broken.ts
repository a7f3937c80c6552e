/** What follows from a broken clause. Pure. */
import type { ContractReport, PreparedContract, Violation } from '@gated-flow/contract';
import type { Ending } from '../stage/decide.js';

/** Whether another output could pass: what a run took, and what was crossed on the way, no output can mend. */
export function isRepairable(
  { prepared, told }: { readonly prepared: PreparedContract; readonly told: ReadonlySet<string> },
  { clause_name }: Violation,
): boolean {
  if (told.has(clause_name)) return false;
  return prepared.checks.some(({ clause, ofOutput }) => clause.name === clause_name && ofOutput);
}

/** How a stage ends that broke one of these; the first that withholds is told. */
export function rejected({ contract }: PreparedContract, violations: readonly Violation[]): Ending {
  const [first] = violations.filter(({ action_taken }) => action_taken !== 'warn');
  const reason = first ? told(contract.path, first) : `${contract.path}: a limit that was crossed before.`;
  return { cause: 'rejected', exit: 1, failed: 'contract', reason };
}

/** What withheld an output, a line each, for people: with the contract, the clause and who judged it, which an agent is never told. */
export function brokenIn({ contract, violations }: ContractReport): string {
  return violations
    .filter(({ action_taken }) => action_taken !== 'warn')
    .map((violation) => told(contract, violation))
    .join('\n');
}

function told(contract: string, { clause_name, clause_text, details, reason }: Violation): string {
  return `${contract}: ${clause_name}, "${clause_text}": ${details}.${reason === undefined ? '' : ` ${reason}`}`;
}

/** The smallest of what is known; null when nothing is. */
export function least(values: readonly (number | null)[]): number | null {
  const known = values.filter((value) => value !== null);
  return known.length === 0 ? null : Math.min(...known);
}
