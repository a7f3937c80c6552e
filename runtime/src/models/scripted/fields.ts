import { isObject, type JsonObject } from '../json.js';
import type { LineFault } from './line.js';

/** Reads the keys of one JSON object by type. A wrong value becomes a fault and reads as absent. */
export interface Fields {
  text(key: string): string | undefined;
  oneOf<T extends string>(key: string, values: readonly T[]): T | undefined;
  /** A whole number within the bounds. */
  count(key: string, least: number, most?: number): number | undefined;
  /** Any number from zero on. */
  amount(key: string): number | undefined;
  object(key: string): JsonObject | undefined;
  list(key: string): readonly unknown[] | undefined;
  /** Whether the key is there, whatever it holds. */
  has(key: string): boolean;
  /** Everything that is none of the keys is a fault. */
  onlyKeys(keys: readonly string[]): void;
}

/** `at` names the place inside the line, such as `calls[0].`; empty for the line itself. */
export function fieldsOf(object: JsonObject, faults: LineFault[], at = ''): Fields {
  function read<T>(key: string, expected: string, narrow: (value: unknown) => value is T): T | undefined {
    if (!Object.hasOwn(object, key)) return undefined;
    const value = object[key];
    if (narrow(value)) return value;
    faults.push({ code: 'value-invalid', message: `\`${at}${key}\` must be ${expected}.` });
    return undefined;
  }
  return {
    text: (key) => read(key, 'a text', (value) => typeof value === 'string'),
    oneOf: <T extends string>(key: string, values: readonly T[]) =>
      read(key, `one of ${values.join(', ')}`, (value): value is T => values.some((known) => known === value)),
    count: (key, least, most = Number.MAX_SAFE_INTEGER) =>
      read(
        key,
        bounds(least, most),
        (value): value is number => Number.isInteger(value) && Number(value) >= least && Number(value) <= most,
      ),
    amount: (key) => read(key, 'a number, zero or more', (value): value is number => typeof value === 'number' && value >= 0),
    object: (key) => read(key, 'an object', isObject),
    list: (key) => read(key, 'a list', (value): value is unknown[] => Array.isArray(value)),
    has: (key) => Object.hasOwn(object, key),
    onlyKeys(keys) {
      for (const key of Object.keys(object)) {
        if (keys.includes(key)) continue;
        faults.push({ code: 'key-unknown', message: `\`${at}${key}\` is no key of a script line. Known here: ${keys.join(', ')}.` });
      }
    },
  };
}

function bounds(least: number, most: number): string {
  return most === Number.MAX_SAFE_INTEGER ? `a whole number, ${least} or more` : `a whole number from ${least} to ${most}`;
}
