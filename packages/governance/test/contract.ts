import { loadShellReader } from '@gated-flow/shell';
import { expect } from 'vitest';
import { decide, loadGovernance } from '../src/index.js';
import type { FileOperation, GovernanceContract, GovernanceFault, Verdict } from '../src/index.js';

export const HEAD = { contract_type: 'governance', contract_name: 'test' };

export const source = (text: string, path = 'governance.contract.json') => ({ path, bytes: Buffer.from(text) });

/** A contract of the stages, which has to be sound. */
export async function contractOf(stages: object, more: object = {}): Promise<GovernanceContract> {
  const loaded = await loadGovernance([source(JSON.stringify({ ...HEAD, stages, ...more }))]);
  expect(loaded).toMatchObject({ ok: true });
  if (!loaded.ok) throw new Error('not sound');
  return loaded.contract;
}

/** `line:column message` for every fault. */
export async function faultsOf(text: string): Promise<readonly string[]> {
  const loaded = await loadGovernance([source(text)]);
  return loaded.ok ? [] : loaded.faults.map(({ line, column, message }: GovernanceFault) => `${line}:${column} ${message}`);
}

/** What the contract says of a shell text. */
export async function bash(contract: GovernanceContract, text: string, tool = 'bash'): Promise<Verdict> {
  const read = await (await loadShellReader()).read(text, { guess: true });
  return decide(contract, { stage: 'pre_tool', tool, arguments: { command: text }, command: { text, read } });
}

export function file(contract: GovernanceContract, operation: FileOperation, paths: readonly string[], tool: string = operation): Verdict {
  return decide(contract, { stage: 'schema_aware_file_tool', tool, operation, paths });
}

/** `decision rule,rule` with the rules that decided. */
export const said = ({ decision, hits }: Verdict): string =>
  [
    decision,
    hits
      .filter((hit) => hit.decision === decision)
      .map(({ id }) => id)
      .join(','),
  ]
    .join(' ')
    .trim();
