import type { Flow, Refusal } from '@gated-flow/assembly';
import type { ModelWorld } from '../model/resolve.js';
import { optionResolver } from '../options/resolve.js';
import type { Plan, PlanRow } from '../plan.js';
import type { Selection } from '../select.js';
import { assemblyRow, flowRows, type RowWorld } from './rows.js';

export interface JudgedRows {
  readonly rows: readonly PlanRow[];
  readonly callable: Plan['callable'];
  /** Why a run could not use the models that the rows ask for; each once. */
  readonly faults: readonly Refusal[];
}

/** What a called flow is asked may come under any extension. */
const ANY_EXTENSION = '.*';

/** The rows of what was selected and of what it may call, and what keeps a run from starting with them. */
export function judgeRows(
  { whole, stage }: Selection,
  { callable, ...world }: Omit<RowWorld, 'resolver'> & { readonly models: ModelWorld; readonly callable: readonly Flow[] },
): JudgedRows {
  const rowWorld: RowWorld = { ...world, resolver: optionResolver(world.models) };
  const judged = whole === null ? [assemblyRow(rowWorld)] : flowRows(whole, stage, rowWorld);
  const called = callable.map((flow) => [flow.path, flowRows(flow, undefined, { ...rowWorld, extension: ANY_EXTENSION })] as const);
  const all = [...judged, ...called.flatMap(([, rows]) => rows)];
  const faults = new Set(all.flatMap(({ fault }) => (fault === null ? [] : [fault])));
  const distinct = new Map([...faults].map((fault) => [`${fault.code} ${fault.message}`, fault]));
  return {
    rows: judged.map(({ row }) => row),
    callable: new Map(called.map(([path, rows]) => [path, rows.map(({ row }) => row)])),
    faults: [...distinct.values()],
  };
}
