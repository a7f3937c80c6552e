import { compilePattern } from '@gated-flow/patterns';
import type { Assertion, Clause, ContractFault } from '../contract.js';

/** Patterns and schemas that could never be judged (C-1, C-5). */
export async function assertionFaults(clauses: readonly Clause[]): Promise<ContractFault[]> {
  const faults: ContractFault[] = [];
  for (const clause of clauses) {
    if (clause.type !== 'assert') continue;
    for (const message of await messagesFor(clause)) {
      const { file, line, column } = clause.origin;
      faults.push({ severity: 'error', file, line, column, message });
    }
  }
  return faults;
}

async function messagesFor({ name, check }: Assertion): Promise<string[]> {
  if (check.kind === 'pattern') {
    return [check.mustNotMatch, check.mustMatch].flatMap((source) => {
      const compiled = source === undefined ? undefined : compilePattern(source);
      return compiled?.ok === false ? [`The pattern of the assertion "${name}" cannot be used: ${compiled.message}`] : [];
    });
  }
  if (check.kind !== 'schema') return [];
  const { compileSchema } = await import('../json-schema.js');
  const compiled = compileSchema(check.schema);
  return compiled.ok ? [] : [`The schema of the assertion "${name}" cannot be used: ${compiled.message}.`];
}
