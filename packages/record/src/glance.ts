import { join } from 'node:path';
import { readEnds } from './disk.js';
import type { FactOf, RecordEvent } from './events.js';
import { RECORD } from './layout.js';
import { parseLine } from './parse.js';

/** What the two ends of a record say, without reading what lies between: enough for a list of runs. Nothing is verified. */
export interface Glance {
  readonly start: (FactOf<'run_start'> & { readonly ts: string }) | null;
  /** The last whole line that is an event. */
  readonly last: RecordEvent | null;
}

const HEAD = 64 * 1024;
const TAIL = 256 * 1024;

/** Null when the folder holds no record that can be read. */
export async function glanceAt(folder: string): Promise<Glance | null> {
  const ends = await readEnds(join(folder, RECORD), { head: HEAD, tail: TAIL });
  if (ends === null) return null;
  const first = eventOf(ends.head.subarray(0, Math.max(0, ends.head.indexOf(10))));
  const whole = ends.tail.subarray(0, Math.max(0, ends.tail.lastIndexOf(10)));
  const last = eventOf(whole.subarray(whole.lastIndexOf(10) + 1));
  return { start: first?.event === 'run_start' ? first : null, last };
}

function eventOf(line: Buffer): RecordEvent | null {
  try {
    const parsed = parseLine(JSON.parse(line.toString()));
    return parsed.line === 'event' ? parsed.event : null;
  } catch {
    return null;
  }
}
