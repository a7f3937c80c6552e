import { nearest } from '@gated-flow/assembly';
import { publicAddress } from '../../models/public-address.js';
import { present, readName, shown } from '../options/inheritable.js';
import type { Intelligence, Price, Reasoning } from '../plan.js';
import { INTELLIGENCE_KEYS, PRICE_KEYS, REASONING_LEVELS } from './keys.js';
import { isRecord, readOptional, refuseUnknownKeys, type FaultSink } from './faults.js';

/** A row of `intelligences:` (M-1), or null after saying what is wrong with it. */
export function readIntelligence(name: string, row: unknown, sink: FaultSink): Intelligence | null {
  const path = ['intelligences', name];
  if (!isRecord(row)) {
    sink.add('value-invalid', path, `The intelligence "${name}" must be a map with provider and model; it is ${shown(row)}.`);
    return null;
  }
  refuseUnknownKeys(row, { keys: INTELLIGENCE_KEYS, path }, sink);
  const required = (key: string): string => {
    const value = readName(row[key]);
    if (!Object.hasOwn(row, key)) sink.add('key-missing', path, `The intelligence "${name}" has no ${key}.`);
    else if (value === null) sink.add('value-invalid', [...path, key], `${key} must be text; it is ${shown(row[key])}.`);
    return value ?? '';
  };
  const optional = <T>(key: string, read: (value: unknown) => T | null, expected: string): T | undefined => {
    const value = readOptional(row[key], read);
    if (value === null) sink.add('value-invalid', [...path, key], `${key} must be ${expected}${foundInstead(key, row[key])}.`);
    return value ?? undefined;
  };
  return {
    provider: required('provider'),
    model: required('model'),
    ...present({
      reasoning: optional('reasoning', readReasoning, reasoningHint(row['reasoning'])),
      baseUrl: optional('base-url', readUrl, 'an http or https address'),
      apiKeyEnv: optional('api-key-env', readVariable, 'the name of a variable, never the key itself'),
      maxOutputTokens: optional('max-output-tokens', readCount, 'a whole number, 1 or more'),
      price: readPrice(row['price'], [...path, 'price'], sink),
    }),
  };
}

export function readReasoning(value: unknown): Reasoning | null {
  return REASONING_LEVELS.find((level) => level === value) ?? null;
}

export function reasoningHint(value: unknown): string {
  const meant = typeof value === 'string' ? nearest(value, REASONING_LEVELS) : undefined;
  return `one of ${REASONING_LEVELS.join(', ')}${meant === undefined ? '' : ` (${meant}?)`}`;
}

/** A key that was put where its variable's name belongs is never shown, nor one inside an address. */
function foundInstead(key: string, value: unknown): string {
  if (key === 'api-key-env') return '';
  return `; it is ${shown(key === 'base-url' && typeof value === 'string' ? publicAddress(value) : value)}`;
}

function readPrice(value: unknown, path: readonly string[], sink: FaultSink): Price | undefined {
  if (value === undefined || value === null) return undefined;
  if (!isRecord(value)) {
    sink.add('value-invalid', path, `price must be a map with input and output, US dollars per million tokens; it is ${shown(value)}.`);
    return undefined;
  }
  refuseUnknownKeys(value, { keys: PRICE_KEYS, path }, sink);
  const amount = (key: string): number | undefined => {
    const amountRead = readOptional(value[key], readAmount);
    if (amountRead === null)
      sink.add('value-invalid', [...path, key], `${key} must be US dollars per million tokens, 0 or more; it is ${shown(value[key])}.`);
    return amountRead ?? undefined;
  };
  for (const key of ['input', 'output']) {
    if (!Object.hasOwn(value, key)) sink.add('key-missing', path, `price has no ${key}.`);
  }
  const [input, output] = [amount('input'), amount('output')];
  const cache = present({ cacheRead: amount('cache-read'), cacheWrite: amount('cache-write') });
  return input === undefined || output === undefined ? undefined : { input, output, ...cache };
}

function readAmount(value: unknown): number | null {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : null;
}

function readCount(value: unknown): number | null {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 1 ? value : null;
}

function readUrl(value: unknown): string | null {
  return typeof value === 'string' && /^https?:\/\//.test(value) && URL.canParse(value) ? value : null;
}

function readVariable(value: unknown): string | null {
  return typeof value === 'string' && /^[A-Za-z_][A-Za-z0-9_]*$/.test(value) ? value : null;
}
