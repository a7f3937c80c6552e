import { join } from 'node:path';
import type { Glance } from '@gated-flow/record';
import { elapsedBetween, glanceAt, holdsRecord } from '@gated-flow/record';
import type { ListRow } from '../views/list-text.js';
import { runNames } from './find-run.js';
import type { Search } from './find-run.js';
import type { LockPorts } from './run-state.js';
import { runState } from './run-state.js';

/** Every run of a home, newest first: by the time of its first line, then by name (O-6). A folder without a record yet is no run; one whose record the system does not let this user read is. */
export async function listRuns(search: Search, ports: LockPorts): Promise<readonly ListRow[]> {
  const rows: ListRow[] = [];
  for (const run of await runNames(search)) {
    const folder = join(search.home ?? '', 'runs', run);
    const glance = await glanceAt(folder);
    if (glance !== null || (await holdsRecord(folder))) rows.push(await rowOf(run, folder, glance ?? HIDDEN, ports));
  }
  return rows.sort((a, b) => compare(b.started ?? '', a.started ?? '') || compare(b.run, a.run));
}

const HIDDEN: Glance = { start: null, last: null };

async function rowOf(run: string, folder: string, { start, last }: Glance, ports: LockPorts): Promise<ListRow> {
  const end = last?.event === 'run_end' ? last : null;
  const state = await runState(folder, end?.cause ?? null, ports);
  // A live run may be about to write its first line.
  if (start === null) return { run, folder, state: state === 'running' ? state : 'unreadable' };
  return {
    ...{ run, state, folder, flow: start.flow, assembly: start.assembly, started: start.ts, model_source: start.model_source },
    ms: last === null ? 0 : elapsedBetween(start.ts, last.ts),
    ...(end === null ? {} : { exit: end.exit, stage: end.stage, reason: end.reason }),
  };
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
