import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Cause, FactOf } from '../src/index.js';
import { childFolder } from '../src/index.js';
import { begin, beginStage, passStage, type Planter, planter, sha256 } from './plant-run.js';

const FAN = '02-map';

type Where = Pick<FactOf<'subflow_start'>, 'stage' | 'retry' | 'n' | 'item' | 'repeat'>;

interface Planted {
  readonly outer: Planter;
  /** Absolute folder of the caller, and how often was called above it. */
  readonly caller: { readonly plant: Planter; readonly depth: number };
}

/** A child of one stage, `01-say`, as a runtime leaves it: no copy, no seals of its own. `inside` plants more of it. */
export function plantChild(
  { outer, caller }: Planted,
  where: Where,
  { cause = 'success', reports = true, inside = () => {} }: { cause?: Cause; reports?: boolean; inside?: (at: Planted) => void } = {},
): void {
  const at = childFolder(where);
  const plant = planter(join(caller.plant.folder, at));
  mkdirSync(plant.folder, { recursive: true });
  const head: FactOf<'run_start'> = JSON.parse(readFileSync(join(outer.folder, 'record.jsonl'), 'utf8').split('\n', 1)[0] ?? '');
  const request = plant.file('request.json', `{"n":${where.n}}`);
  const depth = caller.depth + 1;
  const about = { ...where, flow: 'job', depth, input: { sha256: request.sha256, bytes: request.bytes } };
  caller.plant.event({ event: 'subflow_start', ...about });
  const { run, runtime, assembly, assembly_hash, workdir, model_source } = head;
  plant.event({
    ...{ event: 'run_start', record: 1, run, runtime, assembly, assembly_hash, workdir, model_source, flow: 'job' },
    request: { ...request, from: 'call' },
    child: { ...where, depth },
  });
  inside({ outer, caller: { plant, depth } });
  const output = passStage(plant, '01-say', request, `said ${where.n}\n`);
  if (!reports) return;
  const exit = cause === 'success' ? 0 : 1;
  plant.event({ event: 'run_end', exit, cause, ...(exit === 0 ? {} : { reason: 'No.', stage: '01-say' }) });
  caller.plant.event({
    ...{ event: 'subflow_call', ...about, cause, exit },
    ...(exit === 0 ? { output: { ...output, path: `${at}/${output.path}` } } : { reason: 'No.' }),
    record_sha256: sha256(readFileSync(join(plant.folder, 'record.jsonl'))),
  });
}

/** A stage that calls a helper, which calls another; then a fan-out of these items, the failing ones named. Sealed. */
export function plantFamily(folder: string, { items, failing = [] }: { items: readonly string[]; failing?: readonly string[] }): void {
  const plant = planter(folder);
  begin(plant);
  const at = { outer: plant, caller: { plant, depth: 0 } };
  const request = { path: 'request.txt', sha256: sha256('The lift is stuck.\n'), bytes: 19 };
  beginStage(plant, '01-list', request);
  plantChild(at, { stage: '01-list', retry: 1, n: 1 }, { inside: (below) => plantChild(below, { stage: '01-say', retry: 1, n: 1 }) });
  const output = plant.file('stages/01-list/1/1/output.json', '{}');
  plant.event({ event: 'stage_end', stage: '01-list', exit: 0, cause: 'success', output, sealed: true, judged: false, attempts: 1 });
  plant.event({ event: 'fanout_start', stage: FAN, items: items.length, subflow: 'job', width: 4 });
  items.forEach((item, index) => {
    plantChild(at, { stage: FAN, retry: 1, n: index + 1, item }, { cause: failing.includes(item) ? 'exhausted' : 'success' });
  });
  const cause = failing.length === 0 ? 'success' : 'exhausted';
  plant.event({ event: 'fanout_done', stage: FAN, items: items.length, concurrent: 2, cause });
  plant.seal(cause === 'success' ? { exit: 0, cause } : { exit: 1, cause, reason: `${failing[0] ?? ''}: No.`, stage: FAN });
}
