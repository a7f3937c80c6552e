import type { FactOf } from './events.js';
import type { UsageView } from './run-view.js';

type Mutable<T> = { -readonly [K in keyof T]: T[K] };
export type UsageSum = Mutable<UsageView>;

export function noUsage(): UsageSum {
  return { turns: 0, input: null, output: null, cache_read: null, cache_write: null, cost_usd: null, unpriced: 0 };
}

/** Adds one turn's tokens and cost. */
export function addTurn(sum: UsageSum, turn: FactOf<'turn'>): void {
  sum.turns += 1;
  sum.input = plus(sum.input, turn.input);
  sum.output = plus(sum.output, turn.output);
  sum.cache_read = plus(sum.cache_read, turn.cache_read);
  sum.cache_write = plus(sum.cache_write, turn.cache_write);
  sum.cost_usd = plus(sum.cost_usd, turn.cost_usd);
  if (turn.cost_usd === null) sum.unpriced += 1;
}

/** Adds the usage of another run, such as a child's. */
export function addUsage(sum: UsageSum, more: UsageView): void {
  sum.turns += more.turns;
  sum.input = plus(sum.input, more.input);
  sum.output = plus(sum.output, more.output);
  sum.cache_read = plus(sum.cache_read, more.cache_read);
  sum.cache_write = plus(sum.cache_write, more.cache_write);
  sum.cost_usd = plus(sum.cost_usd, more.cost_usd);
  sum.unpriced += more.unpriced;
}

function plus(sum: number | null, more: number | null): number | null {
  return more === null ? sum : (sum ?? 0) + more;
}
