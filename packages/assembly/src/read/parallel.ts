import type { Parallel } from '../tree.js';
import { readBranches } from './branches.js';
import { isBare, openContainer, refuseBody } from './container.js';
import type { Reading } from './reading.js';
import type { Spot } from './spot.js';
import { groundOf } from './spot.js';
import { wholeNumber } from './values.js';

const MAX_WIDTH = 32;

/** PARALLEL (G-5). Without `width` all branches run at once, at most 32. */
export function readParallel(reading: Reading, spot: Spot): Parallel {
  const { base, document, keys, entries } = openContainer(reading, spot, 'PARALLEL.md', ['width']);
  const width = keys?.take('width', wholeNumber(1, MAX_WIDTH));
  refuseBody(reading, document, 'every branch has its own text.');
  if (isBare(reading, spot, 'PARALLEL.md')) {
    reading.refuse(
      'folder-empty',
      spot.entry,
      'There are no branches to run at once. Add them beside PARALLEL.md, such as cost.md and risk.md.',
    );
  }
  const branches = readBranches(reading, groundOf(spot), entries, { called: 'a PARALLEL', sentinel: 'PARALLEL.md', way: 'branch' });
  return { type: 'PARALLEL', ...base, width: width ?? Math.min(Math.max(branches.length, 1), MAX_WIDTH), branches };
}
