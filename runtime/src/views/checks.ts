import type { CheckView, HookView, RunView } from '@gated-flow/record';
import { hashLine } from '@gated-flow/record';
import { counted } from '@gated-flow/text';
import { duration, roundTitle } from './figures.js';
import type { Captures } from './said.js';
import { saidText } from './said.js';
import { exitOf } from './stage-line.js';
import { indent } from './indent.js';

/** What judged, and what it said. */
export interface JudgeRow {
  /** What names its child run; absent for a stage of the run itself. */
  readonly child?: string;
  readonly stage: string;
  readonly repeat?: number;
  /** The round; absent for a hook, which has none. */
  readonly retry?: number;
  /** A check's name, or `hook`. */
  readonly check: string;
  /** `before`, `success` or `failure`, for a hook. */
  readonly hook?: string;
  readonly file?: string;
  readonly exit: number | null;
  readonly passed: boolean;
  readonly overflow?: true;
  readonly ms: number;
  readonly capture: string;
  readonly capture_sha256: string;
  /** The capture in the form of at most 10,000 bytes; null when it is missing. */
  readonly text: string | null;
  /** Whether the capture is the one that the record says. */
  readonly intact: boolean;
}

const VIEW_BYTES = 10_000;

/** Every check and hook of a run, stage by stage, in the order they ran in. One at a time, so that a large record needs little memory. */
export async function* judgeRows(view: RunView, captures: Captures): AsyncGenerator<JudgeRow> {
  for (const { stage, repeat, rounds, hooks } of view.stages) {
    const row = (program: CheckView | HookView, retry?: number): Promise<JudgeRow> => judgeRow(program, { stage, repeat, retry }, captures);
    for (const hook of hooks) if (hook.hook === 'before') yield row(hook);
    for (const { round, checks } of rounds) for (const check of checks) yield row(check, round);
    for (const hook of hooks) if (hook.hook !== 'before') yield row(hook);
  }
}

type Place = Pick<JudgeRow, 'stage' | 'repeat' | 'retry'>;

async function judgeRow(program: CheckView | HookView, place: Place, captures: Captures): Promise<JudgeRow> {
  const { file, exit, passed, overflow, ms, capture, capture_sha256 } = program;
  const said = await saidText(capture, VIEW_BYTES, captures);
  const name = 'hook' in program ? { check: 'hook', hook: program.hook } : { check: program.check };
  const intact = said !== null && hashLine(said.bytes) === capture_sha256;
  return { ...place, ...name, file, exit, passed, overflow, ms, capture, capture_sha256, text: said?.text ?? null, intact };
}

/** One judge for people. Neither redacted nor escaped yet. */
export function judgeText(row: JudgeRow): string {
  const place = [
    row.child === undefined ? row.stage : `${row.child} › ${row.stage}`,
    row.repeat === undefined ? '' : `repeat ${row.repeat}`,
    row.retry === undefined ? '' : roundTitle(row.retry),
  ];
  const title = row.hook === undefined ? checkTitleOf(row) : `${row.hook} hook   ${row.file ?? ''}`;
  const altered = row.intact ? '' : row.text === null ? 'its capture is missing' : 'its capture was altered';
  const cells = [row.passed ? '✓' : '✗', place.filter((part) => part !== '').join(' '), title, exitOf(row), duration(row.ms), altered];
  const text = row.text === null || row.text.trim() === '' ? '' : `${indent(row.text.replace(/\n+$/, ''), 5)}\n`;
  return ` ${cells.filter((cell) => cell !== '').join('   ')}\n${text}`;
}

function checkTitleOf({ check, file }: JudgeRow): string {
  return file ?? check;
}

export function judgeSummary(passed: number, failed: number): string {
  return `\n${counted(passed + failed, 'judgement')}: ${passed} passed, ${failed} failed\n`;
}
