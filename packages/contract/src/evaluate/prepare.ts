import type { Contract } from '../contract.js';
import { assertionCheck } from './assertions.js';
import type { Check } from './check.js';
import { limitCheck } from './limits.js';
import type { EvaluationPorts } from './ports.js';
import { sentenceCheck } from './sentences.js';

/** A contract whose patterns and schemas are compiled, ready for any number of runs. */
export interface PreparedContract {
  readonly contract: Contract;
  /** In the order of evaluation (C-3). */
  readonly checks: readonly Check[];
}

/** Makes a loaded contract ready to judge. The ports are asked for nothing yet. */
export async function prepare(contract: Contract, ports: EvaluationPorts = {}): Promise<PreparedContract> {
  const checks: Check[] = [];
  for (const clause of contract.clauses) {
    if (clause.type === 'limits') checks.push(limitCheck(clause));
    else if (clause.type === 'assert') checks.push(await assertionCheck(clause, ports));
    else checks.push(sentenceCheck(clause, ports));
  }
  return { contract, checks };
}
