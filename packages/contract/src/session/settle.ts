/** From a report to what follows from it: undo, audit, alert, and the error that withholds (C-9, C-10). */
import type { ContractReport } from '../report/report.js';
import { isBlocking, withoutUndo } from '../report/report.js';
import { ContractAuditError, errorFor, preconditionError } from './errors.js';
import type { ContractError } from './errors.js';

export interface SettlePorts {
  /** Appends an entry; rejects when it is not safely written. */
  audit(report: ContractReport): Promise<void>;
  /** Tells whoever is to be told. Never rejects. */
  alert(report: ContractReport): Promise<void>;
  /** Undoes the side effects of the run, if the host can. A text says why it did not. */
  readonly undo?: () => Undone | Promise<Undone>;
}

type Undone = string | void;

export interface Settled {
  /** With the actions that were really taken. */
  readonly report: ContractReport;
  /** Null: the output may go on. */
  readonly error: ContractError | null;
}

/**
 * Undoes first, so that the audit says what was really done; then writes the audit; then alerts. Nothing in it can let a
 * violation through: an undo or an alert that fails changes the words, a failing audit withholds even what passed.
 */
export async function settle(found: ContractReport, ports: SettlePorts, before: boolean): Promise<Settled> {
  const report = await undone(found, ports);
  const error = before && isBlocking(report) ? preconditionError(report) : errorFor(report);
  try {
    await ports.audit(report);
  } catch (cause) {
    if (report.action === 'halt_and_alert') await ports.alert(report);
    const why = cause instanceof Error ? cause.message : 'The audit cannot be written.';
    return { report, error: error ?? new ContractAuditError(`${why} The output of ${report.agent} is withheld.`, report) };
  }
  if (report.action === 'halt_and_alert') await ports.alert(report);
  return { report, error };
}

/** An undo that says nothing but by rejecting: what a host's own program answers is no reason, and never reaches an audit. */
export function undoing(undo: (() => unknown) | undefined): Pick<SettlePorts, 'undo'> {
  return undo === undefined ? {} : { undo: async () => void (await undo()) };
}

async function undone(report: ContractReport, { undo }: SettlePorts): Promise<ContractReport> {
  if (!report.violations.some(({ action_taken }) => action_taken === 'rollback')) return report;
  if (!undo) return withoutUndo(report, 'nobody registered how');
  try {
    const why = await undo();
    return typeof why === 'string' ? withoutUndo(report, why) : report;
  } catch {
    return withoutUndo(report, 'undoing failed');
  }
}
