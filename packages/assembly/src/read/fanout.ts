import { nameOf } from '../snapshot.js';
import type { Fanout } from '../tree.js';
import { openContainer, refuseBody } from './container.js';
import { GOVERNANCE_FILE, isCheckName, leftover, posesAsSentinel } from './names.js';
import type { Reading, SoundEntry } from './reading.js';
import { quoted } from './reading.js';
import type { Spot } from './spot.js';
import { refuseCheck, refuseGovernance, refuseLeftover, refuseSentinel } from './strays.js';
import { oneLine, wholeNumber } from './values.js';

const MAX_WIDTH = 32;
const MAX_ITEMS = 1_000;

/** FANOUT (G-6). It holds nothing: what it starts is a subflow. */
export function readFanout(reading: Reading, spot: Spot): Fanout {
  const { base, document, keys, entries } = openContainer(reading, spot, 'FANOUT.md', ['items', 'subflow', 'width', 'max-items']);
  const items = keys?.need('items', oneLine) ?? '';
  const subflow = keys?.need('subflow', oneLine) ?? '';
  const width = keys?.need('width', wholeNumber(1, MAX_WIDTH));
  const maxItems = keys?.need('max-items', wholeNumber(1, MAX_ITEMS));
  if (width !== undefined && maxItems !== undefined && width > maxItems) {
    keys?.refuseValue('width', `${width} items cannot run at once when "max-items" allows ${maxItems}. Lower it, or raise "max-items".`);
  }
  refuseBody(reading, document, 'the subflow has its own text.');
  for (const entry of entries) refuseEntry(reading, entry);
  return { type: 'FANOUT', ...base, items, subflow, width: width ?? 1, maxItems: maxItems ?? 1 };
}

function refuseEntry(reading: Reading, entry: SoundEntry): void {
  const name = nameOf(entry.path);
  if (entry.kind === 'file' && leftover(name) !== null) refuseLeftover(reading, entry);
  else if (name === GOVERNANCE_FILE) refuseGovernance(reading, entry);
  else if (isCheckName(name)) refuseCheck(reading, entry, 'a FANOUT');
  else if (entry.kind === 'file' && posesAsSentinel(name)) refuseSentinel(reading, entry, ['FANOUT.md']);
  else
    reading.refuse(
      'entry-unknown',
      entry.path,
      `${quoted(name)} means nothing in a FANOUT, which holds FANOUT.md and, if needed, skills/. What each item goes through is the subflow it names.`,
    );
}
