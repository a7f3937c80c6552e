import type { Price } from '../plan/plan.js';
import type { Usage } from '../ports/model.js';

/**
 * USD per million tokens, as the vendor listed them on 2026-02-01, for the vendor's own servers. A model that is not
 * here has no known price: a missing row is never filled in from a similar name.
 */
const ANTHROPIC: Readonly<Record<string, Price>> = {
  'claude-opus-4-6': { input: 5, output: 25, cacheRead: 0.5, cacheWrite: 6.25 },
  'claude-opus-4-5': { input: 5, output: 25, cacheRead: 0.5, cacheWrite: 6.25 },
  'claude-opus-4-1': { input: 15, output: 75, cacheRead: 1.5, cacheWrite: 18.75 },
  'claude-opus-4-0': { input: 15, output: 75, cacheRead: 1.5, cacheWrite: 18.75 },
  'claude-sonnet-4-5': { input: 3, output: 15, cacheRead: 0.3, cacheWrite: 3.75 },
  'claude-sonnet-4-0': { input: 3, output: 15, cacheRead: 0.3, cacheWrite: 3.75 },
  'claude-haiku-4-5': { input: 1, output: 5, cacheRead: 0.1, cacheWrite: 1.25 },
};

/** What the table says of a model on its vendor's own servers, dated ids such as `claude-haiku-4-5-20251001` included; null when it says nothing (M-3). */
export function listedPrice(provider: string, model: string): Price | null {
  if (provider !== 'anthropic') return null;
  const name = model.replace(/-\d{8}$/, '');
  return Object.hasOwn(ANTHROPIC, name) ? (ANTHROPIC[name] ?? null) : null;
}

/** USD for what the provider reported; null without a price or without both counts (M-3). Cached tokens without a price of their own cost what input costs. */
export function costOf(usage: Usage, price: Price | null): number | null {
  if (price === null || usage.input === null || usage.output === null) return null;
  const read = usage.cache_read ?? 0;
  const written = usage.cache_write ?? 0;
  const plain = Math.max(0, usage.input - read - written);
  const millionths =
    plain * price.input +
    read * (price.cacheRead ?? price.input) +
    written * (price.cacheWrite ?? price.input) +
    usage.output * price.output;
  return millionths / 1_000_000;
}
