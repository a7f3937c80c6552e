import type { Loop } from '../tree.js';
import { isBare, openContainer } from './container.js';
import { isEmpty } from './document.js';
import type { Reading } from './reading.js';
import { readSequence } from './sequence.js';
import type { Spot } from './spot.js';
import { groundOf } from './spot.js';
import { wholeNumber } from './values.js';

/** LOOP (G-3). */
export function readLoop(reading: Reading, spot: Spot): Loop {
  const { base, document, keys, entries } = openContainer(reading, spot, 'LOOP.md', ['repeat']);
  const repeat = keys?.need('repeat', wholeNumber(1)) ?? 1;
  const question = document && !isEmpty(document.body) ? document.body : undefined;
  if (isBare(reading, spot, 'LOOP.md')) {
    reading.refuse('folder-empty', spot.entry, 'The loop has no stages to repeat. Add them beside LOOP.md, such as 01-draft.md.');
  }
  const steps = readSequence(reading, groundOf(spot), entries, { called: 'a LOOP', sentinels: ['LOOP.md'] });
  return { type: 'LOOP', ...base, repeat, ...(question !== undefined && { question }), steps };
}
