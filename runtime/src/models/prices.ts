import type { Price } from '../plan/plan.js';
import type { Usage } from '../ports/model.js';
import table from './price-table.json' with { type: 'json' };

/** One model on its vendor's own servers. */
interface ListedRow extends Price {
  /** Tokens that a prompt and its answer may have together, where the vendor says so. */
  readonly context?: number;
  /** The day of this row when it is not the table's: a refresh that did not name the model left it as it was. */
  readonly date?: string;
  /** The last day on which the vendor promised this price. */
  readonly until?: string;
}

/** What the table says of a model, and of which day that is. */
export interface Listed {
  /** USD per million tokens. */
  readonly price: Price;
  readonly context: number | null;
  /** `YYYY-MM-DD`: the vendor asked this price then. */
  readonly date: string;
  readonly until: string | null;
}

/** Refreshed by scripts/refresh-prices.mjs. */
const TABLE: { readonly date: string; readonly models: Readonly<Record<string, Readonly<Record<string, ListedRow>>>> } = table;

/** How vendors add the day of a release to a model's name: `-20251001`, `-2025-10-01`. */
const RELEASE = /-(?:\d{8}|\d{4}-\d{2}-\d{2})$/;

/**
 * The row of a model on its vendor's own servers (M-3): by its id, else by the id without the day of its release. A model that has no
 * row has no known price: it is never filled in from a similar name.
 */
export function listed(provider: string, model: string): Listed | null {
  const rows = Object.hasOwn(TABLE.models, provider) ? TABLE.models[provider] : undefined;
  const name = [model, model.replace(RELEASE, '')].find((id) => rows !== undefined && Object.hasOwn(rows, id));
  const row = name === undefined ? undefined : rows?.[name];
  if (row === undefined) return null;
  const { context = null, date = TABLE.date, until = null, ...price } = row;
  return { price, context, date, until };
}

/** USD per million tokens of a model on its vendor's own servers; null when the table says nothing (M-3). */
export function listedPrice(provider: string, model: string): Price | null {
  return listed(provider, model)?.price ?? null;
}

/**
 * USD for what the provider reported; null without a price or without both counts (M-3). `usage.input` is all of the prompt, so the cached
 * parts are taken out of it once and priced as what they are; cached tokens without a price of their own cost what input costs. A prompt
 * over the row's threshold is charged at the other prices as a whole, its answer too.
 */
export function costOf(usage: Usage, price: Price | null): number | null {
  if (price === null || usage.input === null || usage.output === null) return null;
  const rates = price.longPrompt !== undefined && usage.input > price.longPrompt.tokens ? price.longPrompt : price;
  const read = usage.cache_read ?? 0;
  const written = usage.cache_write ?? 0;
  const plain = Math.max(0, usage.input - read - written);
  const millionths =
    plain * rates.input +
    read * (rates.cacheRead ?? rates.input) +
    written * (rates.cacheWrite ?? rates.input) +
    usage.output * rates.output;
  return millionths / 1_000_000;
}
