import { DiskError } from '../ports/disk.js';
import type { Ending } from '../stage/decide.js';
import { fault } from '../stage/ending.js';
import type { RunOptions } from './options.js';

/** What a throw makes of a stage or a run: broken machinery, told in a sentence; the error itself is for the log. */
export function broken(error: unknown, { onActivity }: Pick<RunOptions, 'onActivity'>): Ending {
  onActivity?.({ activity: 'broken', error }, null);
  if (error instanceof DiskError) return fault(`${error.operation} failed on ${error.path}: ${error.code}.`);
  return fault(`Something unexpected happened: ${error instanceof Error ? error.message : String(error)}.`);
}
