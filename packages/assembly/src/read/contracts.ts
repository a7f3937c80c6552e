import { parseYaml } from '@gated-flow/yaml';
import { isUtf8 } from '@gated-flow/text';
import type { FileEntry } from '../snapshot.js';
import { nameOf } from '../snapshot.js';
import { readBytes } from './document.js';
import type { Reading } from './reading.js';
import { quoted } from './reading.js';
import { isRecord } from './values.js';

/** The one behavioural contract of a place (A-8). What it says is judged elsewhere; here it has to be a map. */
export function readContracts(reading: Reading, files: readonly FileEntry[]): string | undefined {
  const [first, ...others] = files;
  for (const other of others) {
    reading.refuse(
      'contract-invalid',
      other.path,
      `A place has one contract, and ${quoted(nameOf(first?.path ?? ''))} is there already. Merge them, or let one extend the other from contracts/.`,
    );
  }
  for (const file of files) checkMapping(reading, file.path);
  return first?.path;
}

function checkMapping(reading: Reading, path: string): void {
  const bytes = readBytes(reading, path);
  if (!bytes) return;
  if (!isUtf8(bytes)) {
    reading.refuse('contract-invalid', path, 'The contract is not valid UTF-8. Save it as UTF-8.');
    return;
  }
  const parsed = parseYaml(Buffer.from(bytes).toString('utf8'));
  if (!parsed.ok) {
    const fault = parsed.faults[0];
    reading.refuse(
      'contract-invalid',
      path,
      `The contract cannot be read. ${fault ? `Line ${fault.line}, column ${fault.column}: ${fault.message}` : ''}`,
    );
  } else if (!isRecord(parsed.value)) {
    reading.refuse('contract-invalid', path, 'A contract is a map of keys to values, and this file is not one.');
  }
}

/** `governance.contract.json` at the root (A-8). */
export function readGovernance(reading: Reading, path: string): string | undefined {
  const bytes = readBytes(reading, path);
  if (!bytes) return undefined;
  const fault = governanceFault(bytes);
  if (fault !== null) reading.refuse('governance-invalid', path, fault);
  return path;
}

function governanceFault(bytes: Uint8Array): string | null {
  if (!isUtf8(bytes)) return 'The governance contract is not valid UTF-8. Save it as UTF-8.';
  try {
    const value: unknown = JSON.parse(Buffer.from(bytes).toString('utf8'));
    if (isRecord(value) && value.contract_type === 'governance') return null;
    return 'The governance contract has to be a JSON object whose "contract_type" is "governance".';
  } catch (error) {
    return `The governance contract is not JSON: ${error instanceof Error ? error.message : 'it cannot be parsed'}.`;
  }
}
