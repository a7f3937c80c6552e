/** What a run left on the disk, told as the reference tells it, and what must hold of every record. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  childFolder,
  type ContainerView,
  createRecordReader,
  foldRun,
  type RecordEvent,
  RECORD,
  runTree,
  type StageView,
  type SubflowView,
  type TreeNode,
} from '@gated-flow/record';
import { compareBytes } from '@gated-flow/text';
import { expect } from 'vitest';

export interface KeptRun {
  readonly folder: string;
  readonly events: readonly RecordEvent[];
  readonly flow: string;
  readonly lines: readonly string[];
  readonly children: readonly KeptRun[];
}

export function keptRun(folder: string): KeptRun {
  const events = eventsOf(join(folder, RECORD));
  const view = foldRun(events);
  if (view === null) throw new Error(`${folder} does not fold`);
  const children = new Map(view.subflows.map((call) => [call, keptRun(join(folder, childFolder(call)))]));
  const lines = runTree(view).flatMap((node) => nodeLines(node, children));
  return { folder, events, flow: view.flow, lines, children: [...children.values()] };
}

function eventsOf(file: string): RecordEvent[] {
  const reader = createRecordReader();
  const events = reader.feed(readFileSync(file)).flatMap(({ event }) => (event === null ? [] : [event]));
  expect(reader.reading(), file).toMatchObject({ state: 'valid', faults: [] });
  return events;
}

type ByCall = ReadonlyMap<SubflowView, KeptRun>;

function nodeLines(node: TreeNode, children: ByCall): string[] {
  switch (node.kind) {
    case 'stage':
      return [stageLine(node.stage), ...callLines(node.calls, children)];
    case 'pass':
      return node.contents.flatMap((inner) => nodeLines(inner, children));
    case 'container':
      return [
        ...(node.view === null ? [] : [containerLine(node.view)]),
        ...(node.agent === null ? [] : [stageLine(node.agent)]),
        ...callLines(node.calls, children),
        ...node.contents.flatMap((inner) => nodeLines(inner, children)),
      ];
  }
}

const at = (stage: string, repeat: number | undefined): string => (repeat === undefined ? stage : `${stage}#${repeat}`);

export function stageLine({ stage, repeat, received, ending }: Pick<StageView, 'stage' | 'repeat' | 'received' | 'ending'>): string {
  const names = received.map(({ name }) => name).sort(compareBytes);
  return `${at(stage, repeat)} [${names.join(' ')}] ${ending?.cause ?? 'running'} ${ending?.attempts ?? 0}`;
}

function containerLine(view: ContainerView): string {
  switch (view.type) {
    case 'LOOP':
      return `LOOP ${view.stage} ${view.repeats} ${view.ended_by}`;
    case 'CHOOSE':
      return `CHOOSE ${at(view.stage, view.repeat)} ${view.chose}`;
    case 'PARALLEL': {
      const causes = Object.entries(view.branches).map(([name, cause]) => `${name}=${cause}`);
      return `PARALLEL ${at(view.stage, view.repeat)} ${causes.sort(compareBytes).join(' ')}`;
    }
    case 'FANOUT':
      return `FANOUT ${view.stage} ${view.items} ${view.cause}`;
  }
}

function callLines(calls: readonly SubflowView[], children: ByCall): string[] {
  return [...calls]
    .sort((a, b) => a.n - b.n)
    .flatMap((call) => [
      `> ${call.n} ${call.flow}${call.item === undefined ? '' : ` ${call.item}`} ${call.ending?.cause ?? 'running'}`,
      ...(children.get(call)?.lines ?? []).map((line) => `  ${line}`),
    ]);
}

/** One end, and it is the last; every stage that started ends once, and nothing of it comes after (R-5). */
export function expectOrder({ events, folder }: KeptRun): void {
  const where = folder.slice(folder.indexOf('/runs/'));
  expect(
    events.map(({ event }) => event).filter((event) => event === 'run_end'),
    where,
  ).toHaveLength(1);
  expect([events[0]?.event, events.at(-1)?.event], where).toEqual(['run_start', 'run_end']);
  const open = new Map<string, 'started' | 'ended'>();
  for (const { event, stage, repeat } of events) {
    if (stage === undefined || CONTAINER.has(event) || event === 'run_end') continue;
    const key = at(stage, repeat);
    const expected = event === 'stage_start' ? undefined : 'started';
    expect(open.get(key), `${where}: ${event} of ${key}`).toBe(expected);
    open.set(key, event === 'stage_end' ? 'ended' : 'started');
  }
  expect(
    [...open].filter(([, state]) => state !== 'ended'),
    where,
  ).toEqual([]);
}

/** These are of a container, or of a call that a container made. */
const CONTAINER = new Set(['loop_done', 'parallel_done', 'fanout_start', 'fanout_done', 'subflow_start', 'subflow_call']);
