/** The tree of a run as it was walked, for people: one line a stage, below it what its checks said and the child runs it called. */
import type { ContainerNode, RunView, StageNode, SubflowView, TreeNode } from '@gated-flow/record';
import { runTree } from '@gated-flow/record';
import { counted } from '@gated-flow/text';
import { type ChildRun, type ChildTally, childOf } from '../record/child-run.js';
import type { OpenRun } from '../record/find-run.js';
import { cost, tokens } from './figures.js';
import { detailLines, stageLine } from './stage-line.js';
import { stageRow } from './stage-row.js';

/** What the telling of a tree needs beside its view. */
export interface TreeTelling {
  /** Reads one line of a capture of a run, by its path in it. */
  said(run: OpenRun, capture: string): Promise<string>;
  /** Reads a child; one at a time is held. */
  child(caller: OpenRun, call: SubflowView): Promise<ChildRun>;
  readonly tallies: ReadonlyMap<string, ChildTally>;
  /** Columns of the longest title. */
  readonly widest: number;
  /** Every child with all of its stages; else many that succeeded are one line. */
  readonly all: boolean;
}

interface Place {
  readonly run: OpenRun;
  readonly depth: number;
  readonly telling: TreeTelling;
}

/** Neither redacted nor escaped yet. */
export async function* treeText(nodes: readonly TreeNode[], place: Place): AsyncGenerator<string> {
  for (const node of nodes) yield* nodeText(node, place);
}

/** Columns of the longest title of a tree, within bounds. */
export function widestTitle(nodes: readonly TreeNode[], depth = 0): number {
  return nodes.reduce((widest, node) => {
    const own = 2 * depth + node.name.length;
    const inside = node.kind === 'stage' ? 0 : widestTitle(node.contents, depth + 1);
    const called = node.kind !== 'pass' && node.calls.length > 0 ? 2 * depth + 14 : 0;
    return Math.min(48, Math.max(widest, own, inside, called));
  }, 8);
}

async function* nodeText(node: TreeNode, place: Place): AsyncGenerator<string> {
  const inside = { ...place, depth: place.depth + 1 };
  switch (node.kind) {
    case 'stage':
      yield* stageNodeText(node, place);
      return;
    case 'pass':
      yield `   ${'  '.repeat(place.depth)}${node.name}\n`;
      yield* treeText(node.contents, inside);
      return;
    case 'container':
      yield* containerText(node, place);
      yield* callsText(node, inside);
      yield* treeText(node.contents, inside);
      return;
  }
}

async function* stageNodeText(node: StageNode, place: Place): AsyncGenerator<string> {
  const { depth, telling, run } = place;
  yield stageLine(node.stage, { title: titleAt(depth, node.name), widest: telling.widest });
  yield* detailLines(node.stage, depth, (capture) => telling.said(run, capture));
  yield* callsText(node, { ...place, depth: depth + 1 });
}

function titleAt(depth: number, title: string): string {
  return '  '.repeat(depth) + title;
}

async function* containerText(node: ContainerNode, { run, depth, telling }: Place): AsyncGenerator<string> {
  const { agent, view, name } = node;
  const title = titleAt(depth, name);
  if (agent === null) {
    yield ` ◇ ${title.padEnd(telling.widest)}  ${containerPhrase(node, run, telling)}`.trimEnd() + '\n';
    return;
  }
  const chose = view?.type === 'CHOOSE' ? `chose ${view.chose} over ${view.declined.join(', ')}` : undefined;
  yield stageLine(agent, { title, widest: telling.widest, ...(chose === undefined ? {} : { result: chose }) });
  yield* detailLines(agent, depth, (capture) => telling.said(run, capture));
  if (view?.type === 'CHOOSE' && view.reason !== '') yield `${'  '.repeat(depth)}     ${view.reason.trim()}\n`;
}

/** What a resumed run took over has its end in the run that it was taken from (G-11). */
function isCarried(node: TreeNode): boolean {
  return node.kind === 'stage' ? node.stage.state === 'carried' : node.contents.length > 0 && node.contents.every(isCarried);
}

function containerPhrase(node: ContainerNode, run: OpenRun, { tallies }: TreeTelling): string {
  const { type, view } = node;
  if (view === null) return isCarried(node) ? 'carried as a whole' : `${type ?? ''} not over`.trimStart();
  switch (view.type) {
    case 'CHOOSE':
      return `chose ${view.chose} over ${view.declined.join(', ')}   ${view.reason}`;
    case 'LOOP':
      return `${counted(view.repeats, 'repeat')}, ended by ${view.ended_by}   ${view.reason ?? ''}`;
    case 'PARALLEL': {
      const failed = Object.entries(view.branches).flatMap(([name, cause]) => (cause === 'success' ? [] : [`${name} ${cause}`]));
      const ended = counted(Object.keys(view.branches).length, 'branch', 'branches');
      return [`${ended}, ${view.concurrent} at once`, ...(failed.length === 0 ? [] : [failed.join(', ')])].join('   ');
    }
    case 'FANOUT': {
      const count = node.calls.filter((call) => tallies.get(childOf(run, call).folder)?.success).length;
      const at = view.concurrent === null ? '' : `, ${view.concurrent} at once`;
      return `${view.subflow ?? 'a child'} for each: ${count} of ${counted(view.items, 'item')} succeeded${at}   ${view.cause ?? 'not over'}`;
    }
  }
}

/** Successes that get a line of their own, and other children that are told in full. */
const SUCCESSES_SHOWN = 10;
const OTHERS_SHOWN = 20;

async function* callsText({ calls, ...node }: StageNode | ContainerNode, place: Place): AsyncGenerator<string> {
  const { telling, run, depth } = place;
  const succeeded = calls.filter((call) => telling.tallies.get(childOf(run, call).folder)?.success);
  const folded = !telling.all && succeeded.length > SUCCESSES_SHOWN ? new Set(succeeded) : new Set<SubflowView>();
  const others = calls.filter((call) => !folded.has(call)).sort((a, b) => a.n - b.n);
  const shown = telling.all ? others : others.slice(0, SUCCESSES_SHOWN + OTHERS_SHOWN);
  const brief = !telling.all && node.kind === 'container';
  for (const call of shown) yield* childText(await telling.child(run, call), { ...place, brief });
  const left = others.length - shown.length;
  const indent = `   ${'  '.repeat(depth)}`;
  if (left > 0) yield `${indent}… ${left} more that did not succeed (--all shows them)\n`;
  if (folded.size > 0) yield `${indent}… ${folded.size} succeeded (--all shows them)\n`;
}

/** A line for the child, with all that its own children used, and its stages below; brief: the stages only when it did not succeed. */
export async function* childText({ call, run, state, view }: ChildRun, place: Place & { readonly brief: boolean }): AsyncGenerator<string> {
  const { telling, depth, brief } = place;
  const tally = telling.tallies.get(run.folder);
  const cause = call.ending?.cause ?? view?.ending?.cause;
  const mark = tally?.success ? '✓' : state === 'running' ? '▸' : state === 'ended' ? '✗' : '?';
  const round = call.retry !== undefined && call.retry > 1 ? ` (round ${call.retry})` : '';
  yield stageRow(
    {
      mark,
      title: titleAt(depth, `${call.item ?? `${call.n} ${call.flow}`}${round}`),
      rounds: view === null ? '' : counted(view.stages.length, 'stage'),
      ms: view?.ms ?? null,
      usage: tally === undefined || tally.usage.turns === 0 ? null : tally.usage,
      result: state === 'ended' ? (cause ?? '') : STATES[state](cause),
    },
    telling.widest,
  );
  if (state === 'missing' && call.ending?.reason !== undefined) yield `${'  '.repeat(depth)}     ${call.ending.reason.trim()}\n`;
  if (view !== null && !(brief && tally?.success)) yield* treeText(runTree(view), { run, telling, depth: depth + 1 });
}

const STATES: Readonly<Record<Exclude<ChildRun['state'], 'ended'>, (cause: string | undefined) => string>> = {
  running: () => 'running',
  incomplete: () => 'incomplete: its record has no end',
  damaged: () => 'damaged: its record is not the one that its caller recorded',
  missing: (cause) => `incomplete: its record is not here${cause === undefined ? '' : `; its caller recorded ${cause}`}`,
};

/** What a run used; with child runs, all of it and what of that was its own. */
export function usageFigures(view: RunView, all: RunView['usage'], runs: number): string[] {
  const figures = (usage: RunView['usage']): string[] => [`${tokens(usage.input)} in ${tokens(usage.output)} out`, cost(usage.cost_usd)];
  const unpriced = all.unpriced > 0 && all.cost_usd !== null ? [`${counted(all.unpriced, 'turn')} without a price`] : [];
  if (runs === 0) return [...figures(all), ...unpriced];
  return [...figures(all), `with ${counted(runs, 'child run')} (own: ${figures(view.usage).join(', ')})`, ...unpriced];
}
