/** The files of the home's `authorizations/`, written and read back. What does not read is as if it were not there. */
import type { Authorization } from '@gated-flow/governance';
import type { KeptRequest } from './asked.js';

export interface KeptGrant {
  /** The run whose request it answers; of a file that was used up: the run that used it. */
  readonly run: string;
  readonly authorization: Authorization;
}

export function requestText(request: KeptRequest): string {
  return `${JSON.stringify({ kind: 'flow.authorization-request', version: 1, ...request }, null, 2)}\n`;
}

export function grantText({ run, authorization }: KeptGrant): string {
  return `${JSON.stringify({ kind: 'flow.authorization', version: 1, run, ...authorization }, null, 2)}\n`;
}

type Fields = Readonly<Record<string, unknown>>;

export function readGrant(bytes: Uint8Array): KeptGrant | null {
  const fields = fieldsOf(bytes, 'flow.authorization');
  if (fields === null) return null;
  const text = textsIn(fields, ['id', 'run', ...BOUND, 'expires', 'by']);
  const via = VIAS.find((one) => one === fields['via']);
  const nth = countIn(fields, 'nth');
  if (text === null || via === undefined || nth === null) return null;
  const { run, ...rest } = text;
  return { run, authorization: { ...rest, nth, via } };
}

export function readRequest(bytes: Uint8Array): KeptRequest | null {
  const fields = fieldsOf(bytes, 'flow.authorization-request');
  if (fields === null) return null;
  const text = textsIn(fields, ['id', 'run', 'at', ...BOUND]);
  const nth = countIn(fields, 'nth');
  const expires_seconds = countIn(fields, 'expires_seconds');
  const rules: unknown = fields['rules'];
  if (text === null || nth === null || expires_seconds === null || !Array.isArray(rules)) return null;
  const said = rules.flatMap((rule: unknown) => (typeof rule === 'string' ? [rule] : []));
  return { ...text, nth, expires_seconds, rules: said, arguments: fields['arguments'] };
}

const BOUND = ['event_hash', 'assembly', 'stage', 'tool', 'arguments_sha256', 'target', 'scope', 'risks', 'recovery'] as const;
const VIAS = ['terminal', 'command', 'page', 'file', 'host'] as const;

function fieldsOf(bytes: Uint8Array, kind: string): Fields | null {
  try {
    const value: unknown = JSON.parse(Buffer.from(bytes).toString('utf8'));
    return isFields(value) && value['kind'] === kind && value['version'] === 1 ? value : null;
  } catch {
    return null;
  }
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** All of them, or null. */
function textsIn<K extends string>(fields: Fields, keys: readonly K[]): Readonly<Record<K, string>> | null {
  const found = new Map<K, string>();
  for (const key of keys) {
    const value = fields[key];
    if (typeof value !== 'string') return null;
    found.set(key, value);
  }
  return recordOf(keys, (key) => found.get(key) ?? '');
}

function recordOf<K extends string>(keys: readonly K[], valueOf: (key: K) => string): Readonly<Record<K, string>>;
function recordOf(keys: readonly string[], valueOf: (key: string) => string): Readonly<Record<string, string>> {
  return Object.fromEntries(keys.map((key) => [key, valueOf(key)]));
}

function countIn(fields: Fields, key: string): number | null {
  const value = fields[key];
  return typeof value === 'number' && Number.isSafeInteger(value) && value > 0 ? value : null;
}
