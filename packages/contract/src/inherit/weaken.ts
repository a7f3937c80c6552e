/** What a child may not do to what it inherits (C-2). */
import { isDeepStrictEqual } from 'node:util';
import type { Assertion, Clause, Contract, ContractFault, Limit, Place, Sentence } from '../contract.js';
import { isWeaker } from '../contract.js';
import type { OwnContract } from '../read/own-contract.js';

/** Every weakening, named at its place in the child and at its place in the parent. */
export function weakenings(child: OwnContract, parent: Contract): ContractFault[] {
  return [...child.clauses.flatMap((clause) => clauseWeakenings(clause, parent)), ...actionWeakenings(child, parent)];
}

function clauseWeakenings(clause: Clause, parent: Contract): ContractFault[] {
  switch (clause.type) {
    case 'limits':
      return limitWeakenings(clause, parent);
    case 'assert':
      return assertionWeakenings(clause, parent);
    case 'requires':
      return requiresWeakenings(clause, parent);
    default:
      return [];
  }
}

function limitWeakenings(limit: Limit, parent: Contract): ContractFault[] {
  const inherited = parent.clauses.find((clause): clause is Limit => clause.type === 'limits' && clause.key === limit.key);
  if (!inherited || limit.most <= inherited.most) return [];
  return [
    fault(
      limit.origin,
      `The limit ${limit.key} is ${limit.most} here and ${inherited.most} at ${at(inherited.origin)}. A child may only tighten it.`,
    ),
  ];
}

function assertionWeakenings(assertion: Assertion, parent: Contract): ContractFault[] {
  const inherited = parent.clauses.find((clause): clause is Assertion => clause.type === 'assert' && clause.name === assertion.name);
  if (!inherited || isDeepStrictEqual(checked(inherited), checked(assertion))) return [];
  const message = `The assertion "${assertion.name}" says something else than the one it inherits, at ${at(inherited.origin)}. Give the new one another name.`;
  return [fault(assertion.origin, message)];
}

/** What an assertion checks: its description is for people. */
function checked({ check }: Assertion): unknown {
  return check.kind === 'custom' ? { ...check, given: { ...check.given, description: undefined } } : check;
}

function requiresWeakenings(clause: Sentence, parent: Contract): ContractFault[] {
  const inherited = parent.clauses.find((each) => each.type === 'requires' && each.text === clause.text && each.judge === clause.judge);
  if (!inherited || !isWeaker(clause.severity, inherited.severity)) return [];
  const message = `The precondition "${clause.text}" only warns here and blocks at ${at(inherited.origin)}. A child may not soften it.`;
  return [fault(clause.origin, message)];
}

function actionWeakenings(child: OwnContract, parent: Contract): ContractFault[] {
  return child.overrides.flatMap(({ name, action, place }) => {
    const inherited = parent.clauses.find((clause) => clause.name === name && (clause.type === 'assert' || clause.type === 'limits'));
    if (!inherited || !isWeaker(action, inherited.severity)) return [];
    const message = `The action for "${name}" is ${action} here and ${inherited.severity} by ${at(inherited.origin)}. A child may not lower it.`;
    return [fault(place, message)];
  });
}

function at({ file, line }: Place): string {
  return `${file}:${line}`;
}

function fault({ file, line, column }: Place, message: string): ContractFault {
  return { severity: 'error', file, line, column, message };
}
