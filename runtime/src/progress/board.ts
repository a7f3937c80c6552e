/** What somebody who watches a run wants to know, gathered from its facts and activities. No terminal here. */
import { type Cause, childFolder, type FactOf, type RecordEvent } from '@gated-flow/record';
import { childWord } from '../record/child-run.js';
import { duration, roundTitle } from '../views/figures.js';
import type { Activity } from '../stage/activity.js';

export interface StageBoard {
  readonly stage: string;
  /** The same with its repeat, inside a loop. */
  readonly title: string;
  /** The child run that it is a stage of; null for the run itself. */
  readonly child: ChildBoard | null;
  readonly began: number;
  attempt: number;
  turns: number;
  tools: number;
  input: number | null;
  output: number | null;
  cost: number | null;
  /** What it is doing, and since when. */
  doing: string;
  since: number;
  /** A line for every round that failed. */
  said: readonly string[];
  /** What was chosen here (G-4). */
  chose: string | null;
  /** The run whose work stood in for this stage's agent (G-12). */
  reused: string | null;
  ended: (FactOf<'stage_end'> & { readonly at: number }) | null;
}

/** A child run under way. Its tokens and cost are with those of the children below it. */
export interface ChildBoard {
  /** Its folder in the outermost run's. */
  readonly place: string;
  readonly parent: ChildBoard | null;
  /** The stage or fan-out of the parent that called it. */
  readonly caller: string;
  /** What tells it among those that its caller called: an item's id, or number and flow. */
  readonly label: string;
  /** What names it inside its parent, as a reading command takes it. */
  readonly word: string;
  readonly item: string | null;
  readonly began: number;
  turns: number;
  input: number | null;
  output: number | null;
  cost: number | null;
  stages: number;
  ended: { readonly cause: Cause; readonly at: number } | null;
}

/** A fan-out under way. */
export interface FanoutBoard {
  readonly stage: string;
  readonly items: number;
  done: number;
  failed: number;
}

export interface Board {
  /** Of the run itself all, of a child run those of the time that it takes. */
  readonly stages: ReadonlyMap<string, StageBoard>;
  /** Those that have not ended, by their places. */
  readonly children: ReadonlyMap<string, ChildBoard>;
  readonly fanouts: ReadonlyMap<string, FanoutBoard>;
  /** The newest repeat of a stage. `child`: the place of its run, null for the run itself. */
  stage(stage: string | undefined, child: string | null): StageBoard | undefined;
  fact(event: RecordEvent, now: number, child?: string | null): Change | null;
  activity(activity: Activity, now: number, child?: string | null): void;
}

/** What a fact changed beside a stage. */
export type Change =
  | { readonly change: 'returned'; readonly child: ChildBoard }
  | { readonly change: 'fanned-out'; readonly fanout: FanoutBoard; readonly cause: Cause };

export function openBoard(): Board {
  const stages = new Map<string, StageBoard>();
  const children = new Map<string, ChildBoard>();
  const fanouts = new Map<string, FanoutBoard>();
  const find = (stage: string | undefined, child: string | null): StageBoard | undefined =>
    stage === undefined ? undefined : stages.get(keyOf(stage, child));

  const begin = (event: FactOf<'subflow_start'>, now: number, at: string | null): void => {
    const place = placeOf(event, at);
    const parent = at === null ? null : (children.get(at) ?? null);
    children.set(place, {
      ...{ place, parent, caller: event.stage ?? '', word: childWord(event), item: event.item ?? null, began: now, ended: null },
      ...{ label: event.item ?? `${event.n} ${event.flow}`, turns: 0, input: null, output: null, cost: null, stages: 0 },
    });
  };
  const end = (event: FactOf<'subflow_call'>, now: number, at: string | null): Change | null => {
    const place = placeOf(event, at);
    const child = children.get(place);
    const fanout = fanouts.get(keyOf(event.stage ?? '', at));
    if (fanout) fanout.done += 1;
    if (fanout && event.cause !== 'success') fanout.failed += 1;
    if (!child) return null;
    child.ended = { cause: event.cause, at: now };
    children.delete(place);
    for (const [key, { child: of }] of stages) if (of === child) stages.delete(key);
    return { change: 'returned', child };
  };

  return {
    ...{ stages, children, fanouts, stage: find },
    fact(event, now, child = null) {
      if (event.event === 'subflow_start') begin(event, now, child);
      if (event.event === 'subflow_call') return end(event, now, child);
      if (event.event === 'fanout_start' && event.stage !== undefined)
        fanouts.set(keyOf(event.stage, child), { stage: event.stage, items: event.items, done: 0, failed: 0 });
      if (event.event === 'fanout_done') return fannedOut(event, child);
      const of = child === null ? null : (children.get(child) ?? null);
      if (event.event === 'stage_start' && event.stage !== undefined) {
        stages.set(keyOf(event.stage, child), stageBoard({ stage: event.stage, repeat: event.repeat }, of, now));
        if (of) of.stages += 1;
      }
      if (event.event === 'turn') for (let at = of; at !== null; at = at.parent) addTurn(at, event);
      const board = find(event.stage, child);
      if (board) take(board, event, now);
      return null;
    },
    activity(activity, now, child = null) {
      if (activity.activity === 'not-reused') return;
      const board = 'stage' in activity ? find(activity.stage, child) : undefined;
      if (!board) return;
      if (activity.activity === 'sent-back') {
        board.said = [...board.said, `${roundTitle(activity.attempt)}   ${activity.check}   ${firstLine(activity.reason)}`];
        return;
      }
      if (activity.activity === 'tool') board.tools += 1;
      if ('attempt' in activity) board.attempt = activity.attempt;
      board.doing = doing(activity);
      board.since = now;
    },
  };

  function fannedOut({ stage = '', cause }: FactOf<'fanout_done'>, child: string | null): Change | null {
    const key = keyOf(stage, child);
    const fanout = fanouts.get(key);
    fanouts.delete(key);
    return fanout ? { change: 'fanned-out', fanout, cause } : null;
  }
}

function keyOf(stage: string, child: string | null): string {
  return `${child ?? ''}\0${stage}`;
}

function placeOf(call: FactOf<'subflow_start' | 'subflow_call'>, at: string | null): string {
  return at === null ? childFolder(call) : `${at}/${childFolder(call)}`;
}

function stageBoard({ stage, repeat }: { stage: string; repeat: number | undefined }, child: ChildBoard | null, now: number): StageBoard {
  return {
    ...{ stage, title: titleOf(stage, repeat), child },
    ...{ began: now, attempt: 1, turns: 0, tools: 0, input: null, output: null, cost: null },
    ...{ doing: 'starting', since: now, said: [], chose: null, reused: null, ended: null },
  };
}

/** Where a stage stands, the child runs on the way named: `06-map/j01 › 01-say`. */
export function pathOf({ title, child }: Pick<StageBoard, 'title' | 'child'>): string {
  return child === null ? title : `${childPath(child)} › ${title}`;
}

export function childPath({ word, parent }: ChildBoard): string {
  return parent === null ? word : `${childPath(parent)} › ${word}`;
}

function titleOf(stage: string, repeat: number | undefined): string {
  return repeat === undefined ? stage : `${stage} (${repeat})`;
}

function take(board: StageBoard, event: RecordEvent, now: number): void {
  switch (event.event) {
    case 'turn':
      return addTurn(board, event);
    case 'provider_retry':
      board.doing = `provider: ${event.status ?? 'no answer'}; try ${event.attempt + 1} in ${duration(event.delay_ms)}`;
      board.since = now;
      return;
    case 'chose':
      board.chose = event.chose;
      return;
    case 'stage_reused':
      board.reused = event.from;
      return;
    case 'stage_end':
      board.ended = { ...event, at: now };
      return;
    default:
      return;
  }
}

type Used = Pick<StageBoard, 'turns' | 'input' | 'output' | 'cost'>;

function addTurn(used: Used, turn: FactOf<'turn'>): void {
  used.turns += 1;
  used.input = sum(used.input, turn.input);
  used.output = sum(used.output, turn.output);
  used.cost = sum(used.cost, turn.cost_usd);
}

function doing(activity: Activity): string {
  switch (activity.activity) {
    case 'model':
      return 'thinking';
    case 'tool':
      return activity.tool;
    case 'check':
      return activity.check;
    case 'hook':
      return activity.hook;
    default:
      return '';
  }
}

/** What the newest failed round said; empty when none failed. */
export function newestSaid({ said }: StageBoard): string {
  return said.at(-1) ?? '';
}

/** The first line that says something, white space folded. */
function firstLine(text: string): string {
  return (
    text
      .split('\n')
      .map((line) => line.replace(/\s+/gu, ' ').trim())
      .find((line) => line !== '') ?? ''
  );
}

function sum(a: number | null, b: number | null): number | null {
  return a === null ? b : b === null ? a : a + b;
}
