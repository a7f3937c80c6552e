/** Ids that come from what they name, so that a run that is exported twice is the same trace twice. */
import { hash } from 'node:crypto';

const TRACE_DIGITS = 32;
const SPAN_DIGITS = 16;

/** Of a run: by its name and when it began. */
export function traceId(run: string, started: string): string {
  return digits(['trace', run, started], TRACE_DIGITS);
}

/** Of something in a trace; the words name it, outermost first. */
export function spanId(trace: string, words: readonly string[]): string {
  return digits([trace, ...words], SPAN_DIGITS);
}

/** An id of zeros only would be none. */
function digits(words: readonly string[], count: number): string {
  const found = hash('sha256', words.join('\0')).slice(0, count);
  return /[^0]/.test(found) ? found : found.replace(/0$/, '1');
}
