import { counted } from '@gated-flow/text';
import type { RunOutcome } from '../run/finish.js';
import { type AttemptRow, type ReplayRow, tallyOf, type Tally, type Told } from '../run/replay/rows.js';
import { roundTitle } from './figures.js';
import { indent } from './indent.js';
import { nextCommands } from './next-commands.js';

/** What `flow replay --json` prints. */
export interface ReplayDocument {
  readonly kind: 'flow.replay';
  readonly version: 1;
  /** The replay's own run. */
  readonly run: string;
  readonly folder: string;
  /** The run whose attempts were judged again. */
  readonly replayed: string;
  readonly exit: number;
  readonly cause: string;
  readonly reason: string | null;
  readonly verdicts: Tally;
  readonly attempts: readonly ReplayRow[];
}

export interface Replay {
  readonly replayed: string;
  /** What names that run on a command line from here. */
  readonly word: string;
  readonly outcome: RunOutcome;
  readonly rows: readonly ReplayRow[];
}

export function replayDocument({ replayed, outcome, rows }: Replay): ReplayDocument {
  const { run, folder, ending } = outcome;
  return {
    ...{ kind: 'flow.replay', version: 1, run, folder, replayed },
    ...{ exit: ending.exit, cause: ending.cause, reason: ending.reason ?? null },
    verdicts: tallyOf(rows),
    attempts: rows,
  };
}

const MARKS: Readonly<Record<ReplayRow['outcome'], string>> = { stayed: '=', changed: '≠', decided: '·', fault: '✗', skipped: '-' };

/** The table, a line for each attempt and below it what was said where the verdict is another one. Neither redacted nor escaped yet. */
export function replayText(replay: Replay): string {
  const { rows, outcome } = replay;
  const widest = Math.min(48, Math.max(0, ...rows.map((row) => titleOf(row).length)));
  return `${rows.map((row) => rowText(row, widest)).join('')}\n${summary(replay)}${nextCommands([
    [`flow show ${outcome.run}`, 'what each check says today'],
    [`flow checks ${replay.word}`, 'what each check said then'],
  ])}`;
}

function titleOf({ stage, repeat, attempt }: ReplayRow): string {
  return [stage, ...(repeat === undefined ? [] : [`repeat ${repeat}`]), ...(attempt === null ? [] : [roundTitle(attempt)])].join(' ');
}

function rowText(row: ReplayRow, widest: number): string {
  const line = [titleOf(row).padEnd(widest), row.outcome.padEnd(7), saidOf(row)].join('   ').trimEnd();
  return ` ${MARKS[row.outcome]} ${line}\n${row.attempt === null ? '' : wordsOf(row)}`;
}

function saidOf(row: ReplayRow): string {
  if (row.attempt === null) return row.why;
  if (row.now === null) return row.why ?? '';
  const [then, now] = [verdictOf(row.then), verdictOf(row.now)];
  return then === now ? now : `${then} → ${now}`;
}

function verdictOf({ verdict, check }: Told<string>): string {
  return check === undefined ? verdict : `${verdict} at ${check}`;
}

/** Where the verdict stayed, what was said is in the records. */
function wordsOf({ outcome, then, now }: AttemptRow): string {
  if (outcome === 'stayed' || now === null) return '';
  return wordText('then', then.text) + wordText('now', now.text);
}

function wordText(when: string, text: string | undefined): string {
  const said = (text ?? '').replace(/\n+$/, '');
  return said.trim() === '' ? '' : `${indent(`${when.padEnd(6)}${indent(said, 6).trimStart()}`, 5)}\n`;
}

function summary({ rows, outcome: { ending } }: Replay): string {
  const { stayed, changed, decided, faults, skipped } = tallyOf(rows);
  const judged = rows.length - skipped;
  const parts = [
    `${counted(judged, 'attempt')} judged`,
    `${stayed} stayed`,
    `${changed} changed`,
    ...(decided === 0 ? [] : [`${decided} had no verdict then`]),
    ...(faults === 0 ? [] : [`${faults} could not be judged`]),
    ...(skipped === 0 ? [] : [`${skipped} skipped`]),
  ];
  const why = ending.cause === 'success' || ending.reason === undefined ? '' : `${ending.cause}: ${ending.reason}\n`;
  return `${parts.join(', ')}\n${why}`;
}
