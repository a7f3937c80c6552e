import { buildContract } from './build.js';
import type { GovernanceContract, GovernanceFault, GovernanceResult } from './contract.js';
import type { GovernanceSource } from './document.js';
import { readDocument } from './document.js';
import { joinContracts, missingGates } from './join.js';
import { shapeFaults } from './shape.js';

/**
 * Reads the assembly's contract and whatever `--governance` adds to it; each source adds its rules, and the strictest wins
 * (V-1). Every fault of every file with its line and column; never throws.
 */
export async function loadGovernance(sources: readonly [GovernanceSource, ...GovernanceSource[]]): Promise<GovernanceResult> {
  const contracts: GovernanceContract[] = [];
  const faults: GovernanceFault[] = [];
  for (const source of sources) {
    const read = await readContract(source);
    if (read.ok) contracts.push(read.contract);
    else faults.push(...read.faults);
  }
  const [first, ...others] = contracts;
  if (faults.length > 0 || !first) return { ok: false, faults };
  const contract = joinContracts(first, others);
  const missing = missingGates(contract);
  return missing.length > 0 ? { ok: false, faults: missing } : { ok: true, contract };
}

async function readContract(source: GovernanceSource): Promise<GovernanceResult> {
  const read = readDocument(source);
  if (!read.ok) return read;
  const shape = await shapeFaults(read.document);
  if (shape.length > 0) return { ok: false, faults: shape };
  const { contract, faults } = buildContract(read.document);
  return faults.length > 0 ? { ok: false, faults } : { ok: true, contract };
}
