/** What somebody who watches a run wants to know, gathered from its facts and activities. No terminal here. */
import type { FactOf, RecordEvent } from '@gated-flow/record';
import { duration } from '../views/figures.js';
import type { Activity } from '../stage/activity.js';

export interface StageBoard {
  readonly stage: string;
  /** The same with its repeat, inside a loop. */
  readonly title: string;
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
  ended: (FactOf<'stage_end'> & { readonly at: number }) | null;
}

export interface Board {
  readonly stages: ReadonlyMap<string, StageBoard>;
  fact(event: RecordEvent, now: number): void;
  activity(activity: Activity, now: number): void;
}

export function openBoard(): Board {
  const stages = new Map<string, StageBoard>();
  return {
    stages,
    fact(event, now) {
      const board = stageOf(stages, event, now);
      if (board) take(board, event, now);
    },
    activity(activity, now) {
      const board = 'stage' in activity ? stages.get(activity.stage) : undefined;
      if (!board) return;
      if (activity.activity === 'sent-back') {
        board.said = [...board.said, `round ${activity.attempt}   ${activity.check}   ${firstLine(activity.reason)}`];
        return;
      }
      if (activity.activity === 'tool') board.tools += 1;
      if ('attempt' in activity) board.attempt = activity.attempt;
      board.doing = doing(activity);
      board.since = now;
    },
  };
}

function stageOf(stages: Map<string, StageBoard>, event: RecordEvent, now: number): StageBoard | undefined {
  if (event.stage === undefined) return undefined;
  if (event.event === 'stage_start') {
    stages.set(event.stage, {
      ...{ stage: event.stage, title: titleOf(event.stage, event.repeat) },
      ...{ began: now, attempt: 1, turns: 0, tools: 0, input: null, output: null, cost: null },
      ...{ doing: 'starting', since: now, said: [], chose: null, ended: null },
    });
  }
  return stages.get(event.stage);
}

function titleOf(stage: string, repeat: number | undefined): string {
  return repeat === undefined ? stage : `${stage} (${repeat})`;
}

function take(board: StageBoard, event: RecordEvent, now: number): void {
  switch (event.event) {
    case 'turn':
      board.turns += 1;
      board.input = sum(board.input, event.input);
      board.output = sum(board.output, event.output);
      board.cost = sum(board.cost, event.cost_usd);
      return;
    case 'provider_retry':
      board.doing = `provider: ${event.status ?? 'no answer'}; try ${event.attempt + 1} in ${duration(event.delay_ms)}`;
      board.since = now;
      return;
    case 'chose':
      board.chose = event.chose;
      return;
    case 'stage_end':
      board.ended = { ...event, at: now };
      return;
    default:
      return;
  }
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
