/** Runs that go and runs that stay, for people. Neither redacted nor escaped. */
import { counted } from '@gated-flow/text';
import type { Why } from '../prune/choose.js';
import type { Limits } from '../prune/limits.js';
import type { Surveyed } from '../prune/survey.js';
import { bytes as bytesText } from '../doctor/words.js';
import { duration } from './figures.js';

const DAY = 24 * 3_600_000;

function ageText(ms: number): string {
  return ms >= 2 * DAY ? `${Math.floor(ms / DAY)} days` : duration(Math.max(0, ms));
}

const WHY: Readonly<Record<Why, (limits: Limits) => string>> = {
  age: () => 'too old',
  count: ({ keep }) => `not among the newest ${keep}`,
  size: ({ maxSize = 0 }) => `all runs together are more than ${bytesText(maxSize)}`,
};

export function chosenText(chosen: readonly { readonly run: Surveyed; readonly why: Why }[], limits: Limits, now: number): string {
  const rows = chosen.map(({ run, why }) => [run.run, run.state, ageText(now - run.began), bytesText(run.bytes), WHY[why](limits)]);
  const widths = [0, 1, 2, 3].map((column) => Math.max(0, ...rows.map((row) => row[column]?.length ?? 0)));
  return rows
    .map(
      (row) =>
        `${row.map((cell, column) => (column === 2 || column === 3 ? cell.padStart(widths[column] ?? 0) : cell.padEnd(widths[column] ?? 0))).join('   ')}\n`,
    )
    .join('');
}

/** Runs that stay although a limit would have let them go, or that are held at all. */
export function heldText(runs: readonly Surveyed[]): string {
  return runs.map(({ run, held }) => `${run} stays: ${held ?? ''}.\n`).join('');
}

export function totalText(runs: readonly { readonly bytes: number }[]): string {
  return `${counted(runs.length, 'run')}, ${bytesText(runs.reduce((sum, { bytes }) => sum + bytes, 0))}`;
}
