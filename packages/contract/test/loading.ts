import { posix } from 'node:path';
import type { Contract, ContractResult } from '../src/contract.js';
import { loadFrom } from '../src/load.js';

export const HEAD = 'agent: bot\nspec-version: 0.1.0\nversion: 1.0.0\ndescription: d\n';

/** Loads `main.contract.yaml` of some files that exist only here. */
export function load(files: Readonly<Record<string, string>>, first = 'main.contract.yaml'): Promise<ContractResult> {
  const source = (path: string) => ({ path, location: `/c/${path}`, bytes: Buffer.from(files[path] ?? '') });
  return loadFrom(source(first), {
    find: async (target, from) => {
      const path = posix.relative('/c', posix.resolve(posix.dirname(from), target));
      return files[path] === undefined ? { ok: false, message: `${target} is not there.` } : { ok: true, source: source(path) };
    },
  });
}

/** A contract of these clauses, which has to be valid. */
export async function contract(clauses: string, more: Readonly<Record<string, string>> = {}): Promise<Contract> {
  const result = await load({ 'main.contract.yaml': HEAD + clauses, ...more });
  if (!result.ok) throw new Error(JSON.stringify(result.faults, null, 1));
  return result.contract;
}

/** `file:line:column message`, errors only unless wanted. */
export async function faults(text: string, more: Readonly<Record<string, string>> = {}): Promise<string[]> {
  const result = await load({ 'main.contract.yaml': text, ...more });
  return (result.ok ? [] : result.faults)
    .filter(({ severity }) => severity === 'error')
    .map(({ file, line, column, message }) => `${file}:${line}:${column} ${message}`);
}
