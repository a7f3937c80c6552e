import { join } from 'node:path';
import { RECORD } from '@gated-flow/record';
import { type Disk, DiskError } from '../ports/disk.js';
import { isRunName } from '../record/run-place.js';

/** A first line is shorter than this, unless somebody says a great deal about slots and options; then the line ends here. */
const HEAD_BYTES = 1024 * 1024;
const LONGEST = 1_000;

/** The run and all that it goes on from, as far as they stand in the home; newest first (G-11). */
export async function lineageOf(home: string, run: string, disk: Pick<Disk, 'look' | 'readHead'>): Promise<readonly string[]> {
  const found: string[] = [];
  for (let next: string | null = run; next !== null && isRunName(next) && !found.includes(next) && found.length < LONGEST;) {
    found.push(next);
    next = await donorOf(join(home, 'runs', next, RECORD), disk);
  }
  return found;
}

async function donorOf(record: string, disk: Pick<Disk, 'look' | 'readHead'>): Promise<string | null> {
  try {
    if ((await disk.look(record))?.kind !== 'file') return null;
    const [first = ''] = Buffer.from(await disk.readHead(record, HEAD_BYTES))
      .toString('utf8')
      .split('\n', 1);
    const start: unknown = JSON.parse(first);
    if (typeof start !== 'object' || start === null || !('continued_from' in start)) return null;
    return typeof start.continued_from === 'string' ? start.continued_from : null;
  } catch (error) {
    if (error instanceof DiskError || error instanceof SyntaxError) return null;
    throw error;
  }
}
