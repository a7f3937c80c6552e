import { nearest } from '../nearest.js';
import type { Inheritable } from '../tree.js';
import type { Document } from './document.js';
import type { Reading } from './reading.js';
import { quoted } from './reading.js';
import type { ValueRule } from './values.js';
import { oneLine, wholeNumber, word } from './values.js';

/** Takes values out of a document's front matter, refusing what is wrong with them. */
export interface Keys {
  /** The value of a key; undefined when it is absent or was refused. */
  take<T>(key: string, rule: ValueRule<T>): T | undefined;
  /** The same for a key that has to be there. */
  need<T>(key: string, rule: ValueRule<T>): T | undefined;
  /** Refuses a value for a reason that no rule of one value can give. */
  refuseValue(key: string, why: string): void;
}

/** Opens a front matter whose keys are all named in `known`; any other key is refused here. */
export function keysOf(reading: Reading, document: Document, known: readonly string[]): Keys {
  for (const key of Object.keys(document.data)) {
    if (!known.includes(key)) reading.refuse('key-unknown', document.path, unknownKey(document, key, known));
  }
  const take = <T>(key: string, rule: ValueRule<T>): T | undefined => {
    if (!Object.hasOwn(document.data, key)) return undefined;
    const value = rule.accept(document.data[key]);
    if (value === undefined) refuseValue(key, `${described(document.data[key])} It takes ${rule.takes}.`);
    return value;
  };
  const need = <T>(key: string, rule: ValueRule<T>): T | undefined => {
    if (!Object.hasOwn(document.data, key)) {
      reading.refuse(
        'key-missing',
        document.path,
        `The front matter has no "${key}". Add "${key}:" between the --- lines; it takes ${rule.takes}.`,
      );
    }
    return take(key, rule);
  };
  const refuseValue = (key: string, why: string): void => {
    reading.refuse('value-invalid', document.path, `${lineOf(document, key)}${quoted(key)} is wrong: ${why}`);
  };
  return { take, need, refuseValue };
}

export const INHERITABLE = ['intelligence', 'timeout', 'retries', 'local-context'] as const;
/** The longest clock, in seconds: what a 32-bit count of milliseconds can hold. */
const MAX_TIMEOUT = 2_147_483;

/** The four keys that inner levels override (O-4). */
export function takeInheritable(keys: Keys): Inheritable {
  const intelligence = keys.take('intelligence', oneLine);
  const timeout = keys.take('timeout', wholeNumber(1, MAX_TIMEOUT, 'seconds'));
  const retries = keys.take('retries', wholeNumber(0));
  const localContext = keys.take('local-context', word(['ignore', 'announce', 'use']));
  return {
    ...(intelligence !== undefined && { intelligence }),
    ...(timeout !== undefined && { timeout }),
    ...(retries !== undefined && { retries }),
    ...(localContext !== undefined && { localContext }),
  };
}

function lineOf(document: Document, key: string): string {
  const line = document.keyLine(key);
  return line === undefined ? '' : `Line ${line}: `;
}

function unknownKey(document: Document, key: string, known: readonly string[]): string {
  const meant = nearest(key, known);
  const hint =
    meant === undefined ? `The keys here are ${known.join(', ')}.` : `Did you mean "${meant}"? The keys here are ${known.join(', ')}.`;
  return `${lineOf(document, key)}${quoted(key)} is not a key of this file. ${hint}`;
}

function described(value: unknown): string {
  if (value === null || value === undefined) return 'it has no value.';
  if (typeof value === 'string') return `${quoted(value)} does not fit.`;
  if (typeof value === 'object') return Array.isArray(value) ? 'a list does not fit.' : 'a map does not fit.';
  return typeof value === 'number' || typeof value === 'boolean' ? `${quoted(String(value))} does not fit.` : 'it does not fit.';
}
