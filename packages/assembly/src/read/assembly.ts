/** The root: ASSEMBLY.md and what stands beside it, or a lone flow or stage. */
import type { Entry, FileEntry } from '../snapshot.js';
import { nameOf } from '../snapshot.js';
import type { Assembly, Flow } from '../tree.js';
import { readContracts, readGovernance } from './contracts.js';
import { readDocument } from './document.js';
import { readFlow, readFlows } from './flows.js';
import { INHERITABLE, keysOf, takeInheritable } from './keys.js';
import type { Keys } from './keys.js';
import { GOVERNANCE_FILE, isContractName, leftover, numbered, posesAsSentinel } from './names.js';
import type { Reading, SoundEntry } from './reading.js';
import { isSound, quoted, soundChildren } from './reading.js';
import { ROOT_FOLDERS, isMiscasedRoot, isRootFile, rootSentinels, shapeOf } from './root.js';
import { readSkills } from './skills.js';
import { readSlots } from './slots.js';
import { checkIdentity, libIn, libsWith } from './spot.js';
import { readStage } from './stage.js';
import { refuseLeftover, refuseSentinel } from './strays.js';
import { listOfFolders, wholeNumber, word, yesOrNo } from './values.js';
import { nearest } from '../nearest.js';

/** All that the reading decides; the hash is taken elsewhere. */
export type ReadAssembly = Omit<Assembly, 'snapshot' | 'hash' | 'files'>;

/** `name` is what a lone flow or stage is called: its folder's name. */
export function readRoot(reading: Reading, name: string): ReadAssembly {
  const names = reading.snapshot.children('.').map((entry) => entry.path);
  const shape = shapeOf(names);
  if (shape === 'flow') return loneAssembly(readFlow(reading, { folder: '.', name, libs: [] }));
  if (shape === 'stage') return loneAssembly(readLoneStage(reading, name));
  refuseIncomplete(reading, names);
  return readWhole(reading);
}

const ASSEMBLY_KEYS = [...INHERITABLE, 'slots', 'tmp-max-bytes', 'strict', 'folders', 'unevaluated'];
const DEFAULT_TMP_BYTES = 1024 ** 3;

function readWhole(reading: Reading): ReadAssembly {
  const libs = libsWith(reading, '.', []);
  const contract = readContracts(reading, readEntries(reading));
  const governance = reading.snapshot.entries.has(GOVERNANCE_FILE) ? readGovernance(reading, GOVERNANCE_FILE) : undefined;
  const lib = libIn(reading, '.');
  return {
    ...readSentinel(reading),
    flows: readFlows(reading, 'flows', libs),
    subflows: readFlows(reading, 'subflows', libs),
    skills: readSkills(reading, 'skills'),
    ...(contract !== undefined && { contract }),
    ...(governance !== undefined && { governance }),
    ...(lib !== undefined && { lib }),
  };
}

type FromSentinel = Pick<Assembly, 'sentinel' | 'purpose' | 'options' | 'slots' | 'tmpMaxBytes' | 'unevaluated'>;

const DEFAULTS: FromSentinel = { sentinel: null, purpose: '', options: {}, slots: {}, tmpMaxBytes: DEFAULT_TMP_BYTES, unevaluated: 'warn' };

function readSentinel(reading: Reading): FromSentinel {
  const document = readDocument(reading, 'ASSEMBLY.md');
  if (!document) return { ...DEFAULTS, sentinel: 'ASSEMBLY.md' };
  const keys = keysOf(reading, document, ASSEMBLY_KEYS);
  keys.take('strict', yesOrNo);
  checkOpaque(keys);
  return {
    sentinel: document.path,
    purpose: document.body,
    options: takeInheritable(keys),
    slots: readSlots(keys),
    tmpMaxBytes: keys.take('tmp-max-bytes', wholeNumber(1, Number.MAX_SAFE_INTEGER, 'bytes')) ?? DEFAULT_TMP_BYTES,
    unevaluated: keys.take('unevaluated', word(['warn', 'fail'])) ?? 'warn',
  };
}

function checkOpaque(keys: Keys): void {
  for (const folder of keys.take('folders', listOfFolders) ?? []) {
    if (folder.includes('/') || folder === '.' || folder === '..')
      keys.refuseValue('folders', `${quoted(folder)} is no name of a top-level folder. Name each alone, without a slash.`);
    else if (ROOT_FOLDERS.includes(folder))
      keys.refuseValue('folders', `${quoted(folder)} is a folder that the assembly reads, so it cannot be left unread.`);
  }
}

/** Missing one of the two, a folder is no assembly. A mis-cased file, a link or an unreadable entry is refused where it stands instead. */
function refuseIncomplete(reading: Reading, names: readonly string[]): void {
  const miscased = names.filter((name) => isMiscasedRoot(name, names)).map((name) => posesAsSentinel(name)?.meant);
  if (miscased.some((meant) => meant !== 'ASSEMBLY.md')) return;
  const lacks = (name: string, wrong: Entry['kind']): boolean => [undefined, wrong].includes(reading.snapshot.entries.get(name)?.kind);
  const missing = [
    ...(lacks('ASSEMBLY.md', 'folder') && miscased.length === 0 ? ['the file ASSEMBLY.md'] : []),
    ...(lacks('flows', 'file') ? ['the folder flows/'] : []),
  ];
  if (missing.length === 0) return;
  reading.refuse(
    'assembly-incomplete',
    '.',
    `An assembly is a folder with ASSEMBLY.md and flows/, and here ${missing.join(' and ')} ${missing.length > 1 ? 'are' : 'is'} missing. (A folder with FLOW.md or STAGE.md can also run alone.)`,
  );
}

/** Refuses what the root may not have, and gives the contracts. */
function readEntries(reading: Reading): readonly FileEntry[] {
  const entries = soundChildren(reading.snapshot, '.');
  const names = entries.map(({ path }) => path);
  for (const entry of entries) refuseUnknown(reading, entry, names);
  return entries.filter((entry): entry is FileEntry => entry.kind === 'file' && isContractName(entry.path));
}

function refuseUnknown(reading: Reading, entry: SoundEntry, names: readonly string[]): void {
  const name = nameOf(entry.path);
  if (entry.kind === 'folder' ? ROOT_FOLDERS.includes(name) : isRootFile(name)) return;
  // Of the wrong kind: refused as what is missing.
  if (name === 'ASSEMBLY.md' || name === 'flows') return;
  if (entry.kind === 'file' && leftover(name) !== null) refuseLeftover(reading, entry);
  else if (entry.kind === 'file' && posesAsSentinel(name)) refuseSentinel(reading, entry, rootSentinels(names));
  else reading.refuse('entry-unknown', entry.path, unknownEntry(entry, name));
}

function unknownEntry(entry: SoundEntry, name: string): string {
  const meant = entry.kind === 'folder' ? nearest(name, ROOT_FOLDERS) : undefined;
  const hint = meant === undefined ? '' : ` Did you mean "${meant}"?`;
  const way =
    entry.kind === 'folder'
      ? `To keep the folder unread, list it in ASSEMBLY.md: folders: [${quoted(name)}].`
      : 'Move it into lib/, or write "strict: false" in ASSEMBLY.md to leave unknown entries unread.';
  return `${quoted(name)} means nothing at the root of an assembly.${hint} ${way}`;
}

function readLoneStage(reading: Reading, folderName: string): Flow {
  const name = numbered(folderName)?.name ?? folderName;
  const root = reading.snapshot.entries.get('STAGE.md');
  if (root && isSound(root)) checkIdentity(reading, { ...root, path: '.' }, name);
  const stage = readStage(reading, { name, path: folderName, entry: '.', kind: 'folder', libs: [] });
  return {
    type: 'FLOW',
    name,
    path: '.',
    sentinel: 'STAGE.md',
    description: '',
    procedure: '',
    options: {},
    tmp: 'stage',
    steps: [stage],
    subflows: [],
    skills: [],
  };
}

function loneAssembly(flow: Flow): ReadAssembly {
  return { ...DEFAULTS, flows: [flow], subflows: [], skills: [] };
}
