/** Contracts as the assembly was read: nothing is opened and nothing is fetched (C-2, A-20). */
import { posix } from 'node:path';
import type { Refusal, Snapshot } from '@gated-flow/assembly';
import type { Contract, ContractFault, ContractSource, FoundParent } from '@gated-flow/contract';
import { found, refused, type Resolved } from '../plan/refusal.js';

/** A contract without a fault, and what is likely wrong with it. */
export interface LoadedContract {
  readonly contract: Contract;
  readonly warnings: readonly ContractFault[];
}

/**
 * The contracts at these paths with all that they extend, in order, or every fault of all of them as `contract-invalid` with line
 * and column (C-1, C-2, C-8). The library is loaded only when there is a path.
 */
export async function loadContracts(snapshot: Snapshot, paths: readonly string[]): Promise<Resolved<readonly LoadedContract[]>> {
  if (paths.length === 0) return found([]);
  const { loadFrom } = await import('@gated-flow/contract');
  const loaded: LoadedContract[] = [];
  const refusals = new Map<string, Refusal>();
  for (const path of paths) {
    const source = sourceAt(snapshot, path);
    if (source === null) continue;
    const result = await loadFrom(source, { find: async (target, from) => parentOf(snapshot, target, from) });
    const faults = result.ok ? pluginFaults(snapshot, result.contract) : result.faults.filter(({ severity }) => severity === 'error');
    for (const fault of faults) refusals.set(`${fault.file} ${fault.line}:${fault.column} ${fault.message}`, refusalOf(fault));
    if (result.ok) loaded.push(result);
  }
  return refusals.size === 0 ? found(loaded) : refused(...refusals.values());
}

/** Where a file of the assembly would lie if the assembly were the root of everything. */
export function placeInAssembly(location: string): string {
  return location.replace(/^\//, '');
}

function sourceAt(snapshot: Snapshot, path: string): ContractSource | null {
  const entry = snapshot.entries.get(path);
  if (entry?.kind !== 'file' || entry.bytes === undefined) return null;
  return { path, location: `/${path}`, bytes: entry.bytes };
}

function parentOf(snapshot: Snapshot, target: string, from: string): FoundParent {
  if (/^[a-z][a-z\d+.-]*:/i.test(target))
    return {
      ok: false,
      message: `${target} would have to be fetched, and nothing is fetched for a run. Save it in contracts/ and name it there.`,
    };
  const path = insideAssembly(target, from);
  if (path === null) return { ok: false, message: `${target} leads out of the assembly. Put it into contracts/.` };
  const source = sourceAt(snapshot, path);
  return source === null ? { ok: false, message: `There is no file ${path} in the assembly.` } : { ok: true, source };
}

/** Null when it leads out. */
function insideAssembly(target: string, from: string): string | null {
  if (target.startsWith('/')) return null;
  const path = posix.join(posix.dirname(placeInAssembly(from)), target);
  return path === '..' || path.startsWith('../') ? null : path;
}

function pluginFaults(snapshot: Snapshot, { clauses }: Contract): readonly ContractFault[] {
  return clauses.flatMap((clause) => {
    if (clause.type !== 'assert' || clause.check.kind !== 'custom') return [];
    const { plugin } = clause.check;
    const path = /^\.{1,2}\//.test(plugin) ? insideAssembly(plugin, clause.origin.from) : null;
    if (path !== null && snapshot.entries.get(path)?.kind === 'file') return [];
    const message = `The plugin ${plugin} of "${clause.name}" is no file of the assembly. Put it into contracts/ and name it relative to this contract, such as ./${posix.basename(plugin)}.`;
    return [{ ...clause.origin, severity: 'error' as const, message }];
  });
}

function refusalOf({ file, line, column, message, fix }: ContractFault): Refusal {
  return {
    code: 'contract-invalid',
    path: file,
    message: `Line ${line}, column ${column}: ${message}`,
    ...(fix === undefined ? {} : { fix }),
  };
}
