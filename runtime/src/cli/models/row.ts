import { type Environment, isSet, keyRungs } from '../../models/discovery.js';
import { listed } from '../../models/prices.js';
import { endpointOf } from '../../models/provider/endpoint.js';
import type { Intelligence, Price, Rates } from '../../plan/plan.js';
import { publicAddress } from '../../models/public-address.js';

export interface ModelRow {
  readonly name: string;
  readonly provider: string;
  readonly model: string;
  readonly reasoning: string | null;
  /** The address that is asked, without anything secret; null when the row is not usable. */
  readonly address: string | null;
  /** The address that the row itself names; null when it names none. */
  readonly base_url: string | null;
  /** The variable of the key and whether it is set; null when none is asked for. */
  readonly key: { readonly variable: string; readonly present: boolean } | null;
  readonly max_output_tokens: number | null;
  /** USD per million tokens; null when no price is known (M-3). */
  readonly price: ShownPrice | null;
  /** Tokens, prompt and answer together; null when not known. */
  readonly context: number | null;
  /** Whether a run could ask it; `problem` says why not, `fix` the command that repairs it. */
  readonly usable: boolean;
  readonly problem: string | null;
  readonly fix: string | null;
}

export interface ShownPrice extends ShownRates {
  /** What a prompt of more than `tokens` tokens is charged, all of it and its answer. */
  readonly long_prompt: (ShownRates & { readonly tokens: number }) | null;
  readonly source: 'row' | 'table';
  /** The day of the table's row; null for a row's own price. */
  readonly date: string | null;
  /** The last day on which the vendor promised it. */
  readonly until: string | null;
}

interface ShownRates {
  readonly input: number;
  readonly output: number;
  readonly cache_read: number | null;
  readonly cache_write: number | null;
}

/** One row, resolved as a run would resolve it. */
export function modelRow(name: string, row: Intelligence, env: Environment): ModelRow {
  const result = endpointOf(row, env);
  const [refusal] = result.ok ? [] : result.refusals;
  const variable = row.apiKeyEnv ?? usualVariable(row, env);
  const table = listed(row.provider, row.model);
  const price = result.ok ? result.endpoint.price : (row.price ?? (row.baseUrl === undefined ? (table?.price ?? null) : null));
  return {
    ...{ name, provider: row.provider, model: row.model, reasoning: row.reasoning ?? null },
    address: result.ok ? publicAddress(result.endpoint.baseUrl) : null,
    base_url: row.baseUrl === undefined ? null : publicAddress(row.baseUrl),
    key: variable === null ? null : { variable, present: isSet(env[variable]) },
    max_output_tokens: row.maxOutputTokens ?? null,
    price: price === null ? null : shownPrice(price, row.price === undefined ? (table ?? null) : null),
    context: table?.context ?? null,
    usable: result.ok,
    problem: refusal?.message ?? null,
    fix: refusal?.fix ?? null,
  };
}

/** Where the provider's key is looked for when the row does not say it; a server of one's own needs none. */
function usualVariable({ provider, baseUrl }: Intelligence, env: Environment): string | null {
  if (baseUrl !== undefined) return null;
  const variables = keyRungs({}).flatMap(({ variable, intelligence }) => (intelligence.provider === provider ? [variable] : []));
  return variables.find((variable) => isSet(env[variable])) ?? variables[0] ?? null;
}

function shownPrice(price: Price, table: { readonly date: string; readonly until: string | null } | null): ShownPrice {
  const { longPrompt } = price;
  return {
    ...shownRates(price),
    long_prompt: longPrompt === undefined ? null : { tokens: longPrompt.tokens, ...shownRates(longPrompt) },
    ...(table === null ? { source: 'row', date: null, until: null } : { source: 'table', date: table.date, until: table.until }),
  };
}

function shownRates({ input, output, cacheRead, cacheWrite }: Rates): ShownRates {
  return { input, output, cache_read: cacheRead ?? null, cache_write: cacheWrite ?? null };
}
