/** A flow: FLOW.md or DESCEND.md, numbered steps, and what they share. */
import type { FileEntry } from '../snapshot.js';
import { nameOf, pathIn } from '../snapshot.js';
import type { Flow } from '../tree.js';
import { readContracts } from './contracts.js';
import { readDocument } from './document.js';
import { INHERITABLE, keysOf, takeInheritable } from './keys.js';
import type { FlowSentinel } from './names.js';
import { FLOW_SENTINELS, isContractName, leftover, posesAsSentinel } from './names.js';
import type { Reading, SoundEntry } from './reading.js';
import { quoted, soundChildren } from './reading.js';
import { readSequence } from './sequence.js';
import { readSkills } from './skills.js';
import { checkIdentity, libIn, libsWith } from './spot.js';
import { refuseLeftover } from './strays.js';
import { oneLine, wholeNumber, word } from './values.js';

const MAX_DESCENT = 11;

/** The flows of `flows/` or of a `subflows/` folder, in name order. */
export function readFlows(reading: Reading, folder: string, libs: readonly string[]): readonly Flow[] {
  if (reading.snapshot.entries.get(folder)?.kind !== 'folder') return [];
  const entries = reading.snapshot.children(folder).filter((entry) => nameOf(entry.path) !== 'README.md');
  if (entries.length === 0)
    reading.refuse(
      'folder-empty',
      folder,
      `The folder ${nameOf(folder)}/ promises flows and has none. Add one, such as ${nameOf(folder)}/main/FLOW.md.`,
    );
  return soundChildren(reading.snapshot, folder).flatMap((entry) => readFlowEntry(reading, entry, libs));
}

function readFlowEntry(reading: Reading, entry: SoundEntry, libs: readonly string[]): readonly Flow[] {
  const name = nameOf(entry.path);
  if (entry.kind === 'folder') {
    checkIdentity(reading, entry, name);
    return [readFlow(reading, { folder: entry.path, name, libs })];
  }
  if (leftover(name) !== null) refuseLeftover(reading, entry);
  else if (name !== 'README.md')
    reading.refuse('entry-unknown', entry.path, `${quoted(name)} is a file; a flow is a folder with FLOW.md in it.`);
  return [];
}

export interface FlowSpot {
  readonly folder: string;
  readonly name: string;
  readonly libs: readonly string[];
}

/** Reads one flow's folder; `.` for a lone flow. */
export function readFlow(reading: Reading, spot: FlowSpot): Flow {
  const sorted = sortEntries(reading, spot);
  const libs = libsWith(reading, spot.folder, spot.libs);
  const steps = readSequence(reading, { folder: spot.folder, path: '', libs }, sorted.entries, {
    called: 'a flow',
    sentinels: ['FLOW.md'],
  });
  const contract = readContracts(reading, sorted.contracts);
  const lib = libIn(reading, spot.folder);
  return {
    ...readSentinel(reading, spot, sentinelOf(reading, spot)),
    name: spot.name,
    path: spot.folder,
    steps,
    skills: readSkills(reading, pathIn(spot.folder, 'skills')),
    subflows: readFlows(reading, pathIn(spot.folder, 'subflows'), libs),
    ...(contract !== undefined && { contract }),
    ...(lib !== undefined && { lib }),
  };
}

interface Sorted {
  readonly entries: SoundEntry[];
  readonly contracts: FileEntry[];
}

function sortEntries(reading: Reading, spot: FlowSpot): Sorted {
  const sorted: Sorted = { entries: [], contracts: [] };
  for (const entry of soundChildren(reading.snapshot, spot.folder)) {
    const name = nameOf(entry.path);
    if (entry.kind === 'file' && isContractName(name)) sorted.contracts.push(entry);
    else if (!isOwn(entry, spot)) sorted.entries.push(entry);
  }
  return sorted;
}

function isOwn(entry: SoundEntry, spot: FlowSpot): boolean {
  const name = nameOf(entry.path);
  if (entry.kind === 'folder') return ['lib', 'skills', 'subflows'].includes(name);
  return name === 'README.md' || FLOW_SENTINELS.some((sentinel) => sentinel === name) || (name === 'LICENSE' && spot.folder === '.');
}

/** The sentinel to read, or null when it was refused. */
function sentinelOf(reading: Reading, spot: FlowSpot): FlowSentinel | null {
  const children = reading.snapshot.children(spot.folder).map((entry) => nameOf(entry.path));
  const [sentinel, second] = FLOW_SENTINELS.filter((name) => children.includes(name));
  if (second !== undefined) {
    reading.refuse(
      'sentinel-duplicate',
      spot.folder,
      'The folder holds both FLOW.md and DESCEND.md, and it can be only one of them. DESCEND.md is for a flow whose stages may call it.',
    );
    return null;
  }
  if (
    children.every(
      (name) => name === sentinel || name === 'README.md' || ['lib', 'skills', 'subflows'].includes(name) || isContractName(name),
    )
  ) {
    reading.refuse('folder-empty', spot.folder, 'The flow has no stages. Add one beside its sentinel, such as 01-read.md.');
  } else if (sentinel === undefined) {
    refuseNone(reading, spot);
  }
  return sentinel ?? null;
}

/** A file that poses as a sentinel is refused where it stands; it would only be said twice here. */
function refuseNone(reading: Reading, spot: FlowSpot): void {
  const posing = soundChildren(reading.snapshot, spot.folder).some(
    (entry) => entry.kind === 'file' && nameOf(entry.path) !== 'README.md' && posesAsSentinel(nameOf(entry.path)),
  );
  if (!posing)
    reading.refuse(
      'sentinel-missing',
      spot.folder,
      'Nothing says what this flow is: it holds neither FLOW.md nor DESCEND.md. Add FLOW.md with a one-line "description".',
    );
}

type FromSentinel = Pick<Flow, 'type' | 'sentinel' | 'description' | 'procedure' | 'options' | 'tmp' | 'maxDepth'>;

function readSentinel(reading: Reading, spot: FlowSpot, sentinel: FlowSentinel | null): FromSentinel {
  const type = sentinel === 'DESCEND.md' ? 'DESCEND' : 'FLOW';
  const path = pathIn(spot.folder, sentinel ?? 'FLOW.md');
  const document = sentinel === null ? null : readDocument(reading, path);
  if (!document) return { type, sentinel: path, description: '', procedure: '', options: {}, tmp: 'stage' };
  const own = type === 'DESCEND' ? ['description', 'tmp', 'max-depth'] : ['description', 'tmp'];
  const keys = keysOf(reading, document, [...own, ...INHERITABLE]);
  const maxDepth = type === 'DESCEND' ? keys.need('max-depth', wholeNumber(1, MAX_DESCENT)) : undefined;
  return {
    type,
    sentinel: path,
    description: keys.need('description', oneLine) ?? '',
    procedure: document.body,
    options: takeInheritable(keys),
    tmp: keys.take('tmp', word(['stage', 'flow'])) ?? 'stage',
    ...(maxDepth !== undefined && { maxDepth }),
  };
}
