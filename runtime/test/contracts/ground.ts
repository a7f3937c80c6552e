/** Contracts for the tests of a run: a head, what stands below it, and what an audit says. */
import type { Ran } from '../run/ground.js';

const HEAD = 'agent: a\nspec-version: 0.1.0\nversion: 1.0.0\ndescription: For a test\n';

export const contract = (clauses: string): string => HEAD + clauses;
export const NO_FOO = contract('assert:\n  - {name: no_foo, description: x, type: pattern, must_not_match: foo}\n');

export interface Entry {
  readonly run_id: string;
  readonly contract: string;
  readonly outcome: string;
  readonly input_hash: string;
  readonly output_hash: string;
  readonly duration_ms: number | null;
  readonly signature?: string;
  readonly unevaluated?: readonly string[];
  readonly violations: readonly { readonly clause_name: string; readonly action_taken: string; readonly details: string }[];
}

export function auditOf(ran: Pick<Ran, 'read' | 'has'>, path = 'audit.jsonl'): readonly Entry[] {
  if (!ran.has(path)) return [];
  return ran
    .read(path)
    .trimEnd()
    .split('\n')
    .map((line): Entry => JSON.parse(line));
}

/** `round contract/clause action`, as the record tells it. */
export function told(ran: Ran): readonly string[] {
  return ran.told('contract').map(({ round, contract, clause_name, action_taken }) => {
    return `${round} ${contract.slice(contract.lastIndexOf('/') + 1)}/${clause_name} ${action_taken}`;
  });
}
