/** What stands beside STAGE.md. The name before the first dot decides. */
import type { FileEntry } from '../snapshot.js';
import { nameOf, pathIn } from '../snapshot.js';
import type { Executable, HookName, Stage } from '../tree.js';
import { readContracts } from './contracts.js';
import { readExecutable } from './executables.js';
import { readGates } from './gates.js';
import { readSchema } from './output-schema.js';
import { GOVERNANCE_FILE, HOOK_NAMES, STEP_SENTINELS, firstStem, isContractName, leftover, numbered, posesAsSentinel } from './names.js';
import { nearest } from '../nearest.js';
import type { Reading, SoundEntry } from './reading.js';
import { quoted, soundChildren } from './reading.js';
import type { Ground } from './spot.js';
import { readSkills } from './skills.js';
import { refuseGovernance, refuseLeftover, refuseSentinel } from './strays.js';

type Beside = Pick<Stage, 'schema' | 'gates' | 'hooks' | 'subflows' | 'skills' | 'contract'>;

export function readStageFolder(reading: Reading, ground: Ground): Beside {
  const sorted = sortEntries(reading, ground);
  const schema = readSchema(reading, ground, sorted.schemas);
  const contract = readContracts(reading, sorted.contracts);
  return {
    ...(schema && { schema }),
    gates: readGates(reading, ground, sorted.gates),
    hooks: readHooks(reading, ground, sorted.hooks),
    skills: readSkills(reading, pathIn(ground.folder, 'skills')),
    subflows: reading.grammar.subflows(reading, pathIn(ground.folder, 'subflows'), ground.libs),
    ...(contract !== undefined && { contract }),
  };
}

interface Sorted {
  readonly schemas: FileEntry[];
  readonly gates: SoundEntry[];
  readonly hooks: FileEntry[];
  readonly contracts: FileEntry[];
}

function sortEntries(reading: Reading, ground: Ground): Sorted {
  const sorted: Sorted = { schemas: [], gates: [], hooks: [], contracts: [] };
  for (const entry of soundChildren(reading.snapshot, ground.folder)) place(reading, ground, entry, sorted);
  return sorted;
}

function place(reading: Reading, ground: Ground, entry: SoundEntry, sorted: Sorted): void {
  const name = nameOf(entry.path);
  if (entry.kind === 'folder') {
    if (name === 'gate') sorted.gates.push(entry);
    else if (!['lib', 'skills', 'subflows'].includes(name)) refuseStray(reading, entry);
    return;
  }
  const stem = firstStem(name);
  if (name === 'STAGE.md' || name === 'README.md' || (name === 'LICENSE' && ground.folder === '.')) return;
  if (leftover(name) !== null) refuseLeftover(reading, entry);
  else if (name === GOVERNANCE_FILE) refuseGovernance(reading, entry);
  else if (isContractName(name)) sorted.contracts.push(entry);
  else if (name === 'schema.json' || name === 'schema.md') sorted.schemas.push(entry);
  else if (stem === 'gate') sorted.gates.push(entry);
  else if (HOOK_NAMES.some((hook) => hook === stem)) sorted.hooks.push(entry);
  else refuseStray(reading, entry);
}

const KNOWN =
  'README.md, schema.json or schema.md, gate or gate/, before, success, failure, one *.contract.yaml, lib/, skills/ and subflows/';

function refuseStray(reading: Reading, entry: SoundEntry): void {
  const name = nameOf(entry.path);
  if (entry.kind === 'file' && posesAsSentinel(name)) {
    refuseSentinel(reading, entry, STEP_SENTINELS);
    return;
  }
  reading.refuse('entry-unknown', entry.path, `${quoted(name)} means nothing in a stage's folder. ${hintFor(entry, name)}`);
}

function hintFor(entry: SoundEntry, name: string): string {
  const stem = firstStem(name);
  if (stem === 'schema') return 'A schema is schema.json or schema.md, nothing else.';
  if (entry.kind === 'folder' && (stem === 'gate' || HOOK_NAMES.some((hook) => hook === stem)))
    return `A folder cannot be started. Only "gate/" may be one, and its name is "gate" alone.`;
  if (/\.contract\.yml$/u.test(name)) return 'A contract ends in .contract.yaml or .contract.json.';
  if (numbered(name)) return "A stage's folder holds no stages. Move it beside the folder, or make the folder a LOOP, CHOOSE or PARALLEL.";
  const meant = nearest(stem, ['schema', 'gate', ...HOOK_NAMES, 'lib', 'skills', 'subflows']);
  const hint = meant === undefined || meant === stem ? '' : `Did you mean "${meant}${name.slice(stem.length)}"? `;
  return `${hint}It may hold ${KNOWN}. Put helper files into lib/.`;
}

function readHooks(reading: Reading, ground: Ground, files: readonly FileEntry[]): Partial<Record<HookName, Executable>> {
  const hooks: Partial<Record<HookName, Executable>> = {};
  for (const hook of HOOK_NAMES) {
    const found = files.filter((file) => firstStem(nameOf(file.path)) === hook);
    if (found.length > 1) {
      reading.refuse(
        'hook-duplicate',
        ground.folder,
        `The stage has ${found.length} hooks called "${hook}": ${found.map((file) => quoted(nameOf(file.path))).join(', ')}. Keep one.`,
      );
    }
    for (const file of found) hooks[hook] = readExecutable(reading, file, ground);
  }
  return hooks;
}
