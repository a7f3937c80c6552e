import type { ContractReport } from '../report/report.js';
import { adviceFor } from '../report/report.js';

/** The agent's output is withheld. `report` says which clauses were violated, and carries no text of the output (C-12). */
export class ContractError extends Error {
  override readonly name: string = 'ContractError';

  constructor(
    message: string,
    readonly report: ContractReport,
  ) {
    super(message);
  }
}

/** A `requires` clause failed: the agent never ran (C-3). */
export class ContractPreconditionError extends ContractError {
  override readonly name = 'ContractPreconditionError';
}

/** A clause with the action `block` or `rollback` was violated. */
export class ContractViolationError extends ContractError {
  override readonly name = 'ContractViolationError';
}

/** A clause with the action `halt_and_alert` was violated: this agent is not to run again. */
export class ContractHaltError extends ContractError {
  override readonly name = 'ContractHaltError';
}

/** The audit entry could not be written, so the output is withheld (C-10). */
export class ContractAuditError extends ContractError {
  override readonly name = 'ContractAuditError';
}

/** The error for a report that withholds the output; null for one that does not. */
export function errorFor(report: ContractReport): ContractError | null {
  const message = `The contract ${report.contract} withholds the output of ${report.agent}:\n${adviceFor(report)}`;
  if (report.action === 'halt_and_alert') return new ContractHaltError(message, report);
  return report.action === null || report.action === 'warn' ? null : new ContractViolationError(message, report);
}

export function preconditionError(report: ContractReport): ContractPreconditionError {
  return new ContractPreconditionError(`The contract ${report.contract} does not let ${report.agent} run:\n${adviceFor(report)}`, report);
}

/** What remembers a `halt_and_alert`: the agent does not run again. */
export interface Halting {
  note(report: ContractReport): void;
  /** Throws a `ContractHaltError` once the agent was halted. */
  check(): void;
}

export function halting(): Halting {
  let halted: ContractReport | null = null;
  return {
    note: (report) => void (halted ??= report.action === 'halt_and_alert' ? report : null),
    check() {
      if (halted !== null) throw new ContractHaltError(`${halted.agent} was halted by ${halted.contract} and does not run again.`, halted);
    },
  };
}
