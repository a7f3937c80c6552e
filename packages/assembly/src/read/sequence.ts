/** Numbered entries, which run in numeric order. */
import { nameOf } from '../snapshot.js';
import type { Step } from '../tree.js';
import { STEP_SENTINELS, isCheckName, GOVERNANCE_FILE, leftover, numbered, posesAsSentinel, withoutExtension } from './names.js';
import type { Reading, SoundEntry } from './reading.js';
import { isSound, quoted } from './reading.js';
import type { Ground } from './spot.js';
import { checkIdentity, pathBelow } from './spot.js';
import { emptyStage } from './empty-stage.js';
import { refuseCheck, refuseGovernance, refuseLeftover, refuseSentinel } from './strays.js';

/** What the folder is called in messages: `a flow`, `a LOOP`. */
export interface SequencePlace {
  readonly called: string;
  /** The sentinels that may stand in the folder. */
  readonly sentinels: readonly string[];
}

const MAX_DIGITS = 9;

/** Reads the entries of a folder that are left when its own files are taken away. Each one is a step or a refusal. */
export function readSequence(reading: Reading, ground: Ground, entries: readonly SoundEntry[], place: SequencePlace): readonly Step[] {
  const found = entries.flatMap((entry) => readEntry(reading, ground, entry, place));
  refuseEqualNumbers(reading, found);
  return [...found, ...standIns(reading, ground)].sort(inOrder).map(({ step }) => step);
}

/** A link or an unreadable entry is refused elsewhere. It still takes a place, so that what stands before it is not taken for the last step. */
function standIns(reading: Reading, ground: Ground): readonly Ordered[] {
  return reading.snapshot
    .children(ground.folder)
    .filter((entry) => !isSound(entry))
    .flatMap(({ path }) => {
      const parts = numbered(nameOf(path));
      const spot = {
        name: parts?.name ?? '',
        path: pathBelow(ground, nameOf(path)),
        entry: path,
        kind: 'file' as const,
        libs: ground.libs,
      };
      return parts ? [{ number: Number(parts.digits), step: emptyStage(spot, path) }] : [];
    });
}

function inOrder(a: Ordered, b: Ordered): number {
  return a.number < b.number ? -1 : Number(a.number > b.number);
}

interface Ordered {
  /** Infinite for a step that has none that counts. */
  readonly number: number;
  readonly step: Step;
}

interface Numbered extends Ordered {
  readonly entry: SoundEntry;
}

function readEntry(reading: Reading, ground: Ground, entry: SoundEntry, place: SequencePlace): readonly Numbered[] {
  const name = nameOf(entry.path);
  if (entry.kind === 'file' && (leftover(name) !== null || !name.endsWith('.md') || name === 'schema.md')) {
    refuseFile(reading, entry, place);
    return [];
  }
  const parts = numbered(name);
  if (!parts) return readUnnumbered(reading, ground, entry, place);
  const tooLong = parts.digits.length > MAX_DIGITS;
  if (tooLong) refuseDigits(reading, entry, parts.digits);
  const identity = withoutExtension(parts.name, entry.kind);
  checkIdentity(reading, entry, identity);
  return [{ number: tooLong ? Number.POSITIVE_INFINITY : Number(parts.digits), entry, step: readStep(reading, ground, entry, identity) }];
}

function readStep(reading: Reading, ground: Ground, entry: SoundEntry, identity: string): Step {
  const path = pathBelow(ground, withoutExtension(nameOf(entry.path), entry.kind));
  return reading.grammar.step(reading, { name: identity, path, entry: entry.path, kind: entry.kind, libs: ground.libs });
}

function refuseFile(reading: Reading, entry: SoundEntry, place: SequencePlace): void {
  const name = nameOf(entry.path);
  if (leftover(name) !== null) refuseLeftover(reading, entry);
  else if (name === GOVERNANCE_FILE) refuseGovernance(reading, entry);
  else if (isCheckName(name)) refuseCheck(reading, entry, place.called);
  else if (posesAsSentinel(name)) refuseSentinel(reading, entry, place.sentinels);
  else
    reading.refuse(
      'entry-unknown',
      entry.path,
      `${quoted(name)} means nothing in ${place.called}. A stage is a markdown file or a folder called NUMBER-NAME, such as 01-read.md; helper files go into lib/.`,
    );
}

function readUnnumbered(reading: Reading, ground: Ground, entry: SoundEntry, place: SequencePlace): readonly Numbered[] {
  const name = nameOf(entry.path);
  if (entry.kind === 'file' && posesAsSentinel(name)) {
    refuseSentinel(reading, entry, place.sentinels);
    return [];
  }
  if (entry.kind === 'folder' && !STEP_SENTINELS.some((sentinel) => reading.snapshot.entries.has(`${entry.path}/${sentinel}`))) {
    if (name === 'gate') refuseCheck(reading, entry, place.called);
    else
      reading.refuse(
        'entry-unknown',
        entry.path,
        `The folder ${quoted(name)} means nothing in ${place.called}. A stage's folder is called NUMBER-NAME and holds STAGE.md; helper files go into lib/.`,
      );
    return [];
  }
  reading.refuse(
    'number-missing',
    entry.path,
    `${quoted(name)} has no number, so it has no place in the order. Call it NUMBER-NAME with a hyphen between, such as 01-${name.replace(/^[0-9_ .-]+/u, '')}.`,
  );
  return [{ number: Number.POSITIVE_INFINITY, entry, step: readStep(reading, ground, entry, withoutExtension(name, entry.kind)) }];
}

function refuseDigits(reading: Reading, entry: SoundEntry, digits: string): void {
  reading.refuse('number-invalid', entry.path, `The number has ${digits.length} digits; a number has 1 to ${MAX_DIGITS}. Shorten it.`);
}

/** The later entry in name order is the one refused. */
function refuseEqualNumbers(reading: Reading, found: readonly Numbered[]): void {
  const first = new Map<number, SoundEntry>();
  for (const { number, entry } of found) {
    const earlier = first.get(number);
    if (!Number.isFinite(number)) continue;
    if (earlier)
      reading.refuse(
        'number-duplicate',
        entry.path,
        `${quoted(nameOf(earlier.path))} has the number ${number} too, so nothing says which runs first. Give one of them another number.`,
      );
    else first.set(number, entry);
  }
}
