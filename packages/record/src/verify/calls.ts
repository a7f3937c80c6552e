/** The children that a record says were called, and whether those that stand in the tree are they (G-6, G-7, R-8). */
import type { FactOf, RecordEvent } from '../events.js';
import { childFolder, RECORD } from '../layout.js';
import type { Differences } from './verdict.js';

type Call = FactOf<'subflow_start'> | FactOf<'subflow_call'>;

/** What a record said last of one child. */
export interface Called {
  readonly call: Call;
  /** Of the record that says it. */
  readonly line: number;
}

/** What a child's own record says of itself. */
export interface Child {
  /** Its folder, relative to the caller's. */
  readonly folder: string;
  readonly start: FactOf<'run_start'> | null;
  readonly end: FactOf<'run_end'> | null;
}

/** By the folders in which the children must stand. */
export type Calls = Map<string, Called>;

export function hearCall(calls: Calls, event: RecordEvent, line: number, differences: Differences): void {
  if (event.event !== 'subflow_start' && event.event !== 'subflow_call') return;
  const folder = childFolder(event);
  const blame = (message: string): void => differences.add({ path: RECORD, line, rule: 'R-5', message });
  const known = calls.get(folder)?.call;
  if (event.event === 'subflow_start' && known !== undefined) blame(`starts the child run ${folder} a second time`);
  if (event.event === 'subflow_call' && known === undefined) blame(`ends the child run ${folder}, which had not started`);
  if (event.event === 'subflow_call' && known?.event === 'subflow_call') blame(`ends the child run ${folder} a second time`);
  calls.set(folder, { call: event, line });
}

/** Compares a child that stands in the tree with what its caller's record says of it. */
export function compareCalled(
  child: Child,
  called: Called | undefined,
  { differences, run }: { differences: Differences; run: string },
): void {
  const path = `${child.folder}/${RECORD}`;
  const blame = (message: string): void => differences.add({ path, rule: 'R-8', message });
  if (called === undefined) return blame('is the record of a run that nobody here called');
  const { call, line } = called;
  const by = `line ${line} of ${RECORD}`;
  if (call.event === 'subflow_call') differences.compare(path, call.record_sha256, { rule: 'R-8', by });
  if (call.event === 'subflow_call' && call.output !== undefined && !call.output.path.startsWith(`${child.folder}/`))
    differences.add({ path: RECORD, line, rule: 'R-8', message: `says that the output of ${child.folder} stands outside of it` });
  const { start, end } = child;
  const wrong = [...(start === null ? [] : wrongStart(start, call, run)), ...(end === null ? [] : wrongEnd(end, call))];
  if (wrong.length > 0) blame(`does not say the same as ${by}: ${wrong.join(', ')}`);
}

function wrongStart({ run, flow, request, child }: FactOf<'run_start'>, call: Call, outer: string): string[] {
  const same: Readonly<Record<string, boolean>> = {
    run: run === outer,
    flow: flow === call.flow,
    request: request.sha256 === call.input.sha256 && request.bytes === call.input.bytes,
    caller: child !== undefined && childFolder(child) === childFolder(call),
    item: child?.item === call.item,
    depth: child?.depth === call.depth,
  };
  return Object.entries(same).flatMap(([name, is]) => (is ? [] : [name]));
}

function wrongEnd({ cause, exit }: FactOf<'run_end'>, call: Call): string[] {
  if (call.event !== 'subflow_call') return [];
  return [...(cause === call.cause ? [] : ['cause']), ...(exit === call.exit ? [] : ['exit'])];
}

/** Names the children that were called and have no end, or no record. */
export function compareMissing(calls: Calls, standing: ReadonlySet<string>, differences: Differences): void {
  for (const [folder, { call, line }] of calls) {
    const path = `${folder}/${RECORD}`;
    if (!standing.has(folder)) differences.add({ path, rule: 'R-8', message: `is missing; line ${line} of ${RECORD} calls it` });
    else if (call.event === 'subflow_start')
      differences.add({ path, rule: 'R-8', message: `is incomplete: line ${line} of ${RECORD} calls it, and none says how it ended` });
  }
}
