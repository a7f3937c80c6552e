import type { Refusal } from '@gated-flow/assembly';
import type { ModelWorld } from '../model/resolve.js';
import { optionResolver } from '../options/resolve.js';
import type { PlanRow } from '../plan.js';
import type { Selection } from '../select.js';
import { assemblyRow, flowRows, type RowWorld } from './rows.js';

export interface JudgedRows {
  readonly rows: readonly PlanRow[];
  /** Why a run could not use the models that the rows ask for; each once. */
  readonly faults: readonly Refusal[];
}

/** The rows of what was selected, and what keeps a run from starting with them. */
export function judgeRows({ whole, stage }: Selection, world: Omit<RowWorld, 'resolver'> & { readonly models: ModelWorld }): JudgedRows {
  const rowWorld: RowWorld = { ...world, resolver: optionResolver(world.models) };
  const judged = whole === null ? [assemblyRow(rowWorld)] : flowRows(whole, stage, rowWorld);
  const faults = new Set(judged.flatMap(({ fault }) => (fault === null ? [] : [fault])));
  const distinct = new Map([...faults].map((fault) => [`${fault.code} ${fault.message}`, fault]));
  return { rows: judged.map(({ row }) => row), faults: [...distinct.values()] };
}
