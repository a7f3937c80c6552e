/** The named ways through a CHOOSE or a PARALLEL (G-4, G-5). */
import { nameOf } from '../snapshot.js';
import type { Branch } from '../tree.js';
import { GOVERNANCE_FILE, STEP_SENTINELS, isCheckName, leftover, numbered, posesAsSentinel, withoutExtension } from './names.js';
import type { Reading, SoundEntry } from './reading.js';
import { quoted, soundChildren } from './reading.js';
import { readSequence } from './sequence.js';
import type { Ground, Spot } from './spot.js';
import { checkIdentity, pathBelow } from './spot.js';
import { refuseCheck, refuseGovernance, refuseLeftover, refuseSentinel } from './strays.js';

export interface BranchPlace {
  /** `a CHOOSE`, `a PARALLEL`. */
  readonly called: string;
  readonly sentinel: string;
  /** `branch`, `alternative`. */
  readonly way: string;
}

/** In name order. Everything in the folder besides the container's own files is a branch or a refusal. */
export function readBranches(reading: Reading, ground: Ground, entries: readonly SoundEntry[], place: BranchPlace): readonly Branch[] {
  return entries.flatMap((entry) => readBranch(reading, ground, entry, place));
}

function readBranch(reading: Reading, ground: Ground, entry: SoundEntry, place: BranchPlace): readonly Branch[] {
  if (!mayBeBranch(reading, entry, place)) return [];
  const name = withoutExtension(nameOf(entry.path), entry.kind);
  if (/^[0-9]+$/u.test(name) || numbered(name)) {
    reading.refuse(
      'branch-numbered',
      entry.path,
      `${quoted(nameOf(entry.path))} has a number, and what stands in ${place.called} has no order. Give it a name without one.`,
    );
  } else {
    checkIdentity(reading, entry, name);
  }
  const spot: Spot = { name, path: pathBelow(ground, name), entry: entry.path, kind: entry.kind, libs: ground.libs };
  const steps = isSequence(reading, entry) ? readNumberedFolder(reading, spot, place) : [reading.grammar.step(reading, spot)];
  return [{ name, path: spot.path, entry: entry.path, steps }];
}

const RESERVED_FOLDERS = ['lib', 'subflows', 'contracts', 'flows'];

function mayBeBranch(reading: Reading, entry: SoundEntry, place: BranchPlace): boolean {
  const name = nameOf(entry.path);
  if (entry.kind === 'folder') {
    if (name === 'gate') refuseCheck(reading, entry, place.called);
    else if (RESERVED_FOLDERS.includes(name))
      reading.refuse(
        'entry-unknown',
        entry.path,
        `The folder ${quoted(name)} has no meaning in ${place.called}. It may stand beside FLOW.md, beside STAGE.md or at the root.`,
      );
    else return true;
    return false;
  }
  if (leftover(name) !== null) refuseLeftover(reading, entry);
  else if (name === GOVERNANCE_FILE) refuseGovernance(reading, entry);
  else if (name === 'schema.md' || (!name.endsWith('.md') && isCheckName(name))) refuseCheck(reading, entry, place.called);
  else if (looksCapitalised(name)) refuseSentinel(reading, entry, [place.sentinel]);
  else if (!name.endsWith('.md'))
    reading.refuse(
      'entry-unknown',
      entry.path,
      `${quoted(name)} means nothing in ${place.called}. A ${place.way} is a markdown file or a folder.`,
    );
  else return true;
  return false;
}

/** A name in lower case is a branch's, even where it spells a sentinel. */
function looksCapitalised(name: string): boolean {
  return posesAsSentinel(name) !== null && name !== name.toLowerCase();
}

/** A folder of numbered stages: no sentinel, and something numbered in it. An empty one promises stages, too. */
function isSequence(reading: Reading, entry: SoundEntry): boolean {
  if (entry.kind === 'file') return false;
  const inside = reading.snapshot.children(entry.path).map((child) => nameOf(child.path));
  if (STEP_SENTINELS.some((sentinel) => inside.includes(sentinel))) return false;
  return inside.every((name) => name === 'README.md') || inside.some((name) => numbered(name) !== null);
}

function readNumberedFolder(reading: Reading, spot: Spot, place: BranchPlace): Branch['steps'] {
  if (reading.snapshot.children(spot.entry).every(({ path }) => nameOf(path) === 'README.md')) {
    reading.refuse(
      'folder-empty',
      spot.entry,
      `The ${place.way} is a folder with nothing to run. Put STAGE.md or numbered stages into it.`,
    );
  }
  const entries = soundChildren(reading.snapshot, spot.entry).filter((entry) => nameOf(entry.path) !== 'README.md');
  return readSequence(reading, { folder: spot.entry, path: spot.path, libs: spot.libs }, entries, {
    called: 'a folder of numbered stages',
    sentinels: STEP_SENTINELS,
  });
}
