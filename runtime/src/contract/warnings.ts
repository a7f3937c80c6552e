import type { Check, ContractFault } from '@gated-flow/contract';
import type { Warning } from '../plan/plan.js';
import type { LoadedContract } from './load.js';

export interface Asked {
  /** What `unevaluated` in ASSEMBLY.md makes of a clause that nobody can evaluate. */
  readonly unevaluated: 'warn' | 'fail';
  /** Whether some model could judge; null when the run asks none. */
  readonly judged: boolean | null;
}

/** What is likely wrong with the contracts: first of all the clauses that nobody can evaluate (I-6, C-4). */
export async function contractWarnings(loaded: readonly LoadedContract[], asked: Asked): Promise<readonly Warning[]> {
  if (loaded.length === 0) return [];
  const { prepare } = await import('@gated-flow/contract');
  const warnings: Warning[] = [];
  for (const { contract, warnings: faults } of loaded) {
    const { checks } = await prepare(contract);
    warnings.push(...faults.map(warningOf), ...checks.flatMap((check) => unevaluated(check, asked)));
  }
  return [...new Map(warnings.map((warning) => [`${warning.path} ${warning.message}`, warning])).values()];
}

function warningOf({ file, line, column, message, fix }: ContractFault): Warning {
  return { path: file, message: `Line ${line}, column ${column}: ${message}`, ...(fix === undefined ? {} : { fix }) };
}

function unevaluated({ clause, when, note }: Check, asked: Asked): readonly Warning[] {
  const why = when === 'never' ? hint(note) : when === 'judge' && asked.judged === false ? NO_JUDGE : null;
  if (why === null) return [];
  const { file, line, column } = clause.origin;
  const follows = asked.unevaluated === 'fail' ? 'It counts as broken ("unevaluated: fail").' : 'It holds nothing back.';
  const message = `Line ${line}, column ${column}: Nobody can evaluate ${clause.name}, "${clause.text}". ${follows} ${why}`;
  return [{ path: file, message }];
}

/** A run is given no facts from outside. */
function hint(note: string | undefined): string {
  return (note ?? '').replace(', give it "judge: llm", or supply the fact with --fact.', ', or give it "judge: llm".');
}

const NO_JUDGE = 'No model can judge it: add a row "judge" to the home\'s intelligences.';
