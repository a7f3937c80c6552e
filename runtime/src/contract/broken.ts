/** What follows from a broken clause. Pure. */
import type { PreparedContract, Violation } from '@gated-flow/contract';
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
  const what = first ? `${first.clause_name}, "${first.clause_text}": ${first.details}` : 'a limit that was crossed before';
  return { cause: 'rejected', exit: 1, failed: 'contract', reason: `${contract.path}: ${what}.` };
}

/** The smallest of what is known; null when nothing is. */
export function least(values: readonly (number | null)[]): number | null {
  const known = values.filter((value) => value !== null);
  return known.length === 0 ? null : Math.min(...known);
}
