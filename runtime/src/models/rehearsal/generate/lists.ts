import type { Demands } from './demands.js';
import { generous, NOTHING, type Spot } from './attempt.js';

const LONGEST_LIST = 10_000;

/** A list of the fewest items that will do, one where none would do too. */
export function listFor(demands: Demands, spot: Spot): unknown {
  const asked = demands.contains.flatMap(({ schema, least }) => Array<unknown>(Math.min(least, LONGEST_LIST)).fill(schema));
  const length = lengthOf(demands, asked.length, spot);
  const list: unknown[] = [];
  for (let index = 0; index < length; index += 1) {
    const item = itemFor(demands, { asked, index, length, list }, spot);
    if (item === NOTHING) break;
    list.push(item);
  }
  return list.length < demands.fewestItems ? NOTHING : list;
}

function lengthOf(demands: Demands, asked: number, spot: Spot): number {
  const wanted = generous(spot) ? Math.max(1, demands.prefix.length) : 0;
  return Math.min(Math.max(demands.fewestItems, asked, wanted), demands.mostItems, LONGEST_LIST);
}

interface Place {
  /** Schemas that `contains` asks some items for: the last ones of the list get them. */
  readonly asked: readonly unknown[];
  readonly index: number;
  readonly length: number;
  readonly list: readonly unknown[];
}

const TRIED = 40;

function itemFor(demands: Demands, { asked, index, length, list }: Place, spot: Spot): unknown {
  const own = demands.prefix[index] ?? demands.items;
  const contained = asked[index - (length - asked.length)];
  const schemas = contained === undefined ? own : [...own, contained];
  const inner = (nth: number): unknown => spot.attempt.value(schemas, { ...spot, depth: spot.depth + 1, nth });
  if (!demands.unique) return inner(spot.nth);
  const seen = new Set(list.map((item) => JSON.stringify(item)));
  for (let nth = spot.nth + index; nth < spot.nth + index + TRIED; nth += 1) {
    const item = inner(nth);
    if (item === NOTHING || !seen.has(JSON.stringify(item))) return item;
  }
  return NOTHING;
}
