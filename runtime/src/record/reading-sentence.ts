import type { Reading } from '@gated-flow/record';
import type { OpenRun } from './find-run.js';

type Named = Pick<OpenRun, 'name' | 'word'>;

/** What is wrong with a record and where, with the command that says more; null when nothing is. */
export function damageOf(reading: Reading, { name, word }: Named): string | null {
  if (reading.state !== 'invalid') return null;
  if (reading.newer)
    return `The record of ${name} ${reading.faults[0]?.message ?? ''}. Read it with the version that wrote it, or a later one.`;
  const shown = reading.faults.slice(0, 3).map(({ line, rule, message }) => `  line ${line} ${message} (${rule})`);
  return `The record of ${name} is damaged or was altered:\n${shown.join('\n')}\n  flow verify ${word} names every difference.`;
}

export function emptyRecord({ name }: Named): string {
  return `The record of ${name} holds no event yet.`;
}
