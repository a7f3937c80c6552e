import type { Refusal } from '@gated-flow/assembly';
import { DEFAULT_SCRUB } from '../plan/config/keys.js';
import { publicAddress } from '../models/public-address.js';
import type { HomeConfig, Intelligence } from '../plan/plan.js';
import { findingsOf, type Finding } from './finding.js';

/** A value of the home's config.yaml, or what counts without it (I-11). */
export interface ConfigValue {
  /** As it stands in the file: `timeout`, `intelligences.default.model`. */
  readonly key: string;
  readonly value: unknown;
  readonly from: 'home' | 'default';
}

export type ConfigFacts =
  | { readonly ok: true; readonly config: HomeConfig; /** Absolute; null when there is no such file. */ readonly file: string | null }
  | { readonly ok: false; readonly refusals: readonly Refusal[] };

const { ok, problem } = findingsOf('config');

export function judgeConfig(facts: ConfigFacts): readonly Finding[] {
  if (facts.ok) return [ok('config.yaml', facts.file === null ? 'none: the defaults count' : facts.file)];
  return facts.refusals.map(({ code, message, fix }) =>
    problem('config.yaml', message, { why: `Every command refuses to begin (${code}).`, ...(fix === undefined ? {} : { fix }) }),
  );
}

/** Every value with where it comes from, in the order of docs/home.md. No key is among them: a row names only its variable. */
export function configValues(config: HomeConfig): readonly ConfigValue[] {
  const { options, intelligences, scrub, gateEnv, agentEnv, redact, deadline, maxCost, alertWebhook, alertCommand } = config;
  const one = (key: string, value: unknown, otherwise: unknown): ConfigValue =>
    value === undefined ? { key, value: otherwise, from: 'default' } : { key, value, from: 'home' };
  const list = (key: string, names: readonly string[]): ConfigValue => ({ key, value: names, from: names.length > 0 ? 'home' : 'default' });
  return [
    ...Object.entries(intelligences).flatMap(([name, row]) => rowValues(name, row)),
    one('intelligence', options.intelligence, 'default'),
    one('timeout', options.timeout, 3600),
    one('retries', options.retries, 2),
    one('local-context', options.localContext, 'ignore'),
    one('deadline', deadline, null),
    one('max-cost', maxCost, null),
    { key: 'scrub', value: scrub, from: scrub === DEFAULT_SCRUB ? 'default' : 'home' },
    ...[list('gate-env', gateEnv), list('agent-env', agentEnv), list('redact', redact)],
    // Of an address only where it leads: the rest is often a secret.
    one('alert-webhook', alertWebhook === undefined ? undefined : new URL(alertWebhook).origin, null),
    one('alert-command', alertCommand, null),
  ];
}

function rowValues(name: string, row: Intelligence): readonly ConfigValue[] {
  const { provider, model, reasoning, baseUrl, apiKeyEnv, maxOutputTokens, price } = row;
  const values = {
    ...{ provider, model, reasoning, 'api-key-env': apiKeyEnv, 'max-output-tokens': maxOutputTokens },
    'base-url': baseUrl === undefined ? undefined : publicAddress(baseUrl),
    'price.input': price?.input,
    'price.output': price?.output,
    'price.cache-read': price?.cacheRead,
    'price.cache-write': price?.cacheWrite,
  };
  return Object.entries(values).flatMap(([key, value]): readonly ConfigValue[] =>
    value === undefined ? [] : [{ key: `intelligences.${name}.${key}`, value, from: 'home' }],
  );
}
