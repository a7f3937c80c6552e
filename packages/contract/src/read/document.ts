import { isUtf8 } from '@gated-flow/text';
import { parseDocument } from '@gated-flow/yaml';
import type { YamlPlace } from '@gated-flow/yaml';
import type { ContractFault } from '../contract.js';
import { jsonFault } from './json-fault.js';

/** The bytes of a contract file and what it is called. */
export interface ContractSource {
  /** As it was named: in messages and the audit. */
  readonly path: string;
  /** Absolute path or URL: what `extends` and `plugin` are relative to. */
  readonly location: string;
  readonly bytes: Uint8Array;
}

/** A node's address: keys and indexes from the root. */
export type NodePath = readonly (string | number)[];

export interface ContractDocument {
  readonly source: ContractSource;
  readonly value: unknown;
  placeOf(path: NodePath, at?: 'key' | 'value'): YamlPlace;
}

export type DocumentRead =
  { readonly ok: true; readonly document: ContractDocument } | { readonly ok: false; readonly faults: readonly ContractFault[] };

/** Whether a file may be a contract by its name (C-1). */
export function isContractName(path: string): boolean {
  return path.endsWith('.contract.yaml') || path.endsWith('.contract.json');
}

/** YAML 1.2 or JSON, strictly: a duplicate key, an anchor or a tag is a fault (C-1). Never throws. */
export function readDocument(source: ContractSource): DocumentRead {
  const refuse = (message: string, at: YamlPlace = { line: 1, column: 1 }): DocumentRead => ({
    ok: false,
    faults: [{ severity: 'error', file: source.path, ...at, message }],
  });
  if (!isContractName(source.location)) {
    return refuse('A contract file has a name that ends in .contract.yaml or .contract.json. Rename it.');
  }
  if (!isUtf8(source.bytes)) return refuse('The contract is not valid UTF-8. Save it as UTF-8.');
  const text = Buffer.from(source.bytes).toString('utf8');
  const fault = source.location.endsWith('.json') && !text.startsWith('\ufeff') ? jsonFault(text) : null;
  if (fault !== null) return refuse(`The contract is not JSON: ${fault.message}. Correct it, or name the file .contract.yaml.`, fault);
  const parsed = parseDocument(text);
  if (!parsed.ok) {
    return { ok: false, faults: parsed.faults.map((fault) => ({ severity: 'error' as const, file: source.path, ...fault })) };
  }
  return { ok: true, document: { source, value: parsed.value, placeOf: parsed.placeOf } };
}
