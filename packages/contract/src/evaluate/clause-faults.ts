import { compilePattern } from '@gated-flow/patterns';
import { compileSentence } from '../grammar/compile.js';
import type { Assertion, Clause, ContractFault } from '../contract.js';

/** Patterns, schemas and sentences that could never be judged (C-1, C-5). */
export async function clauseFaults(clauses: readonly Clause[]): Promise<ContractFault[]> {
  const faults: ContractFault[] = [];
  for (const clause of clauses) {
    for (const message of await messagesFor(clause)) {
      const { file, line, column } = clause.origin;
      faults.push({ severity: 'error', file, line, column, message });
    }
  }
  return faults;
}

async function messagesFor(clause: Clause): Promise<string[]> {
  if (clause.type === 'limits') return [];
  if (clause.type === 'assert') return assertionMessages(clause);
  if (clause.judge === 'llm') return [];
  const compiled = compileSentence(clause.text, clause.type === 'requires' ? 'input' : 'output');
  return compiled.ok || compiled.message === undefined ? [] : [compiled.message];
}

async function assertionMessages({ name, check }: Assertion): Promise<string[]> {
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
