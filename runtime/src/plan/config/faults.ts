import type { Refusal } from '@gated-flow/assembly';
import { nearest } from '@gated-flow/assembly';

/** Somewhere to say what is wrong with a key. `path` leads to it from the top. */
export interface FaultSink {
  add(code: Refusal['code'], path: readonly string[], message: string): void;
}

/** What of a map is not among its keys, each with the key that was probably meant. */
export function refuseUnknownKeys(
  data: Readonly<Record<string, unknown>>,
  known: { readonly keys: readonly string[]; readonly path: readonly string[] },
  sink: FaultSink,
): void {
  for (const key of Object.keys(data)) {
    if (known.keys.includes(key)) continue;
    const meant = nearest(key, known.keys);
    const hint = meant === undefined ? `The keys are ${known.keys.join(', ')}.` : `Did you mean ${meant}?`;
    sink.add('key-unknown', [...known.path, key], `There is no key "${key}" here. ${hint}`);
  }
}

/** Undefined when absent, null when wrong. */
export function readOptional<T>(value: unknown, read: (value: unknown) => T | null): T | null | undefined {
  return value === undefined || value === null ? undefined : read(value);
}

export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
