import type { StageView } from '@gated-flow/record';
import type { Reader } from './reading.js';
import { MISUSE, NOTHING, countingNumber } from './reading.js';

/** The repeat of a stage that `--repeat` says, the last one when it says nothing; else the exit code of what was said wrongly. */
export function pickRepeat(stages: readonly [StageView, ...StageView[]], said: string | undefined, reader: Reader): StageView | number {
  if (said === undefined) return stages.at(-1) ?? stages[0];
  const wanted = countingNumber(said);
  if (wanted === null) {
    reader.say(`--repeat wants a whole number from 1, not ${JSON.stringify(said)}.`);
    return MISUSE;
  }
  const found = stages.find(({ repeat }) => (repeat ?? 1) === wanted);
  if (found !== undefined) return found;
  reader.say(`${stages[0].stage} has no repeat ${wanted}: it ran ${stages.length === 1 ? 'once' : `${stages.length} times`}.`);
  return NOTHING;
}
