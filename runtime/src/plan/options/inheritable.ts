import type { Inheritable, LocalContext } from '@gated-flow/assembly';

export const INHERITABLE_KEYS = ['intelligence', 'timeout', 'retries', 'local-context'] as const;

/** A value that is not what its key allows; the sentence names the key and what was found. */
export interface ValueFault {
  readonly key: string;
  readonly message: string;
}

export interface Read<T> {
  readonly value: T;
  readonly faults: readonly ValueFault[];
}

export const TIMEOUT_MAX = 2_147_483;
const LOCAL_CONTEXTS: readonly LocalContext[] = ['ignore', 'announce', 'use'];

/** Reads the four inheritable keys out of parsed data (O-4). Keys that are absent stay absent; other keys are not looked at. */
export function readInheritable(data: Readonly<Record<string, unknown>>): Read<Inheritable> {
  const faults: ValueFault[] = [];
  const keep = <T>(key: string, read: (value: unknown) => T | null, expected: string): T | undefined => {
    if (!Object.hasOwn(data, key)) return undefined;
    const value = read(data[key]);
    if (value !== null) return value;
    faults.push({ key, message: `${key} must be ${expected}; it is ${shown(data[key])}.` });
    return undefined;
  };
  const intelligence = keep('intelligence', readName, 'the name of an intelligence');
  const timeout = keep('timeout', readTimeout, `whole seconds from 1 to ${TIMEOUT_MAX}`);
  const retries = keep('retries', readRetries, 'a whole number, 0 or more');
  const localContext = keep('local-context', readLocalContext, LOCAL_CONTEXTS.join(', '));
  return { value: present({ intelligence, timeout, retries, localContext }), faults };
}

function readTimeout(value: unknown): number | null {
  return typeof value === 'number' && Number.isInteger(value) && value >= 1 && value <= TIMEOUT_MAX ? value : null;
}

export function readName(value: unknown): string | null {
  return typeof value === 'string' && value.trim() !== '' ? value : null;
}

function readRetries(value: unknown): number | null {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : null;
}

function readLocalContext(value: unknown): LocalContext | null {
  return LOCAL_CONTEXTS.find((known) => known === value) ?? null;
}

/** A value as a message shows it: short, quoted when it is text. */
export function shown(value: unknown): string {
  if (value === null || value === undefined) return 'empty';
  const text = JSON.stringify(value) ?? 'not data';
  return text.length > 60 ? `${text.slice(0, 57)}…` : text;
}

type Present<T> = { readonly [K in keyof T]?: Exclude<T[K], undefined> };

/** The same object without the keys whose value is undefined. */
export function present<T extends object>(values: T): Present<T> {
  const kept: Present<T> = {};
  for (const key in values) if (values[key] !== undefined) Object.assign(kept, { [key]: values[key] });
  return kept;
}
