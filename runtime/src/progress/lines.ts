import { escapeName } from '@gated-flow/text';
import { cost, counted, duration, tokens } from '../views/figures.js';
import type { StageBoard } from './board.js';

/** A stage that has ended, in a line: mark, name, rounds, time, tokens, cost, what came of it. Safe for a terminal. */
export function endedLine(board: StageBoard, width: number): string {
  const { ended } = board;
  const success = ended?.cause === 'success';
  const came = success ? nameOf(ended?.output?.path) : (ended?.cause ?? '');
  const figures = [
    counted(ended?.attempts ?? board.attempt, 'round').padEnd(9),
    duration((ended?.at ?? board.since) - board.began).padStart(8),
    `${tokens(board.input).padStart(6)} in`,
    `${tokens(board.output).padStart(6)} out`,
    cost(board.cost).padStart(8),
  ];
  return ` ${success ? '✓' : '✗'} ${escapeName(board.stage).padEnd(width)}   ${figures.join('  ')}   ${escapeName(came)}`.trimEnd();
}

/** A stage under way. */
export function runningLine(board: StageBoard, { width, now, spinner }: { width: number; now: number; spinner: string }): string {
  const figures = [`round ${board.attempt}`.padEnd(9), duration(now - board.began).padStart(8), `${tokens(board.input).padStart(6)} in`, `${tokens(board.output).padStart(6)} out`];
  return ` ${spinner} ${escapeName(board.stage).padEnd(width)}   ${figures.join('  ')}   ${escapeName(board.doing)} ${duration(now - board.since)}`;
}

export function saidLine(said: string): string {
  return `     ${escapeName(said)}`;
}

/** For a log that nobody repaints: proof of life, with what happened last (I-3). */
export function heartbeatLine(board: StageBoard, now: number): string {
  const facts = [`round ${board.attempt}`, counted(board.turns, 'turn'), counted(board.tools, 'tool call'), `${board.doing} for ${duration(now - board.since)}`];
  return ` … ${escapeName(board.stage)}   ${facts.join(', ')}`;
}

function nameOf(path: string | undefined): string {
  return path?.split('/').at(-1) ?? '';
}
