/** The lines of progress. Neither redacted nor escaped: whoever writes them does that. */
import { counted } from '@gated-flow/text';
import { duration } from '../views/figures.js';
import { nameOf } from '../views/pick-stage.js';
import { stageRow } from '../views/stage-row.js';
import { extname } from 'node:path';
import type { Cause } from '@gated-flow/record';
import { type ChildBoard, childPath, type FanoutBoard, pathOf, type StageBoard } from './board.js';

/** A stage that has ended, with what came of it. */
export function endedLine(board: StageBoard, width: number, columns?: number): string {
  const { ended, reused } = board;
  const row = {
    mark: ended?.cause === 'success' ? (reused === null ? '✓' : '=') : '✗',
    title: pathOf(board),
    rounds: counted(ended?.attempts ?? board.attempt, 'round'),
    ms: (ended?.at ?? board.since) - board.began,
    usage: used(board),
    result: resultOf(board),
  };
  return stageRow(row, width, columns).trimEnd();
}

function resultOf({ stage, chose, reused, ended }: StageBoard): string {
  if (ended?.cause !== 'success') return ended?.cause ?? '';
  if (reused !== null) return `reused from ${reused}`;
  if (chose !== null) return `chose ${chose}`;
  return ended.output ? `${nameOf(stage)}${extname(ended.output.path)}` : ended.cause;
}

export interface Running {
  readonly title: string;
  readonly width: number;
  /** Of the terminal. */
  readonly columns: number;
  readonly now: number;
  readonly spinner: string;
}

/** A stage under way, with what it is doing and for how long. */
export function runningLine(board: StageBoard, { title, width, columns, now, spinner }: Running): string {
  const row = {
    mark: spinner,
    title,
    rounds: `round ${board.attempt}`,
    ms: now - board.began,
    usage: used(board),
    result: `${board.doing} ${duration(now - board.since)}`,
  };
  return stageRow(row, width, columns).trimEnd();
}

export function saidLine(said: string): string {
  return `     ${said}`;
}

/** For a log that nobody repaints: proof of life, with what happened last (I-3). */
export function heartbeatLine(board: StageBoard, now: number): string {
  const facts = [
    `round ${board.attempt}`,
    counted(board.turns, 'turn'),
    counted(board.tools, 'tool call'),
    `${board.doing} for ${duration(now - board.since)}`,
  ];
  return ` … ${pathOf(board)}   ${facts.join(', ')}`;
}

/** A child run that is over, with what it and its own children used. */
export function returnedLine(child: ChildBoard, width: number, columns?: number): string {
  const cause = child.ended?.cause ?? 'fault';
  const row = {
    mark: cause === 'success' ? '✓' : '✗',
    title: childPath(child),
    rounds: counted(child.stages, 'stage'),
    ms: (child.ended?.at ?? child.began) - child.began,
    usage: used(child),
    result: cause,
  };
  return stageRow(row, width, columns).trimEnd();
}

export function fannedOutLine({ stage, items, done, failed }: FanoutBoard, cause: Cause, width: number): string {
  return ` ◇ ${stage.padEnd(width)}  ${done - failed} of ${counted(items, 'item')} succeeded   ${cause}`;
}

function used({ turns, input, output, cost }: Pick<StageBoard, 'turns' | 'input' | 'output' | 'cost'>): {
  input: number | null;
  output: number | null;
  cost_usd: number | null;
} | null {
  return turns === 0 ? null : { input, output, cost_usd: cost };
}
