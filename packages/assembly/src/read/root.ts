/** Which of the root's entries belong to the assembly. Decided from the names and ASSEMBLY.md alone, before anything else is read. */
import { splitFrontMatter } from '@gated-flow/yaml';
import { FLOW_SENTINELS, GOVERNANCE_FILE, isContractName, numbered, posesAsSentinel } from './names.js';
import { isRecord } from './values.js';

/** What a root is. */
export type RootShape = 'assembly' | 'flow' | 'stage';

export const ROOT_FOLDERS = ['contracts', 'flows', 'lib', 'skills', 'subflows'];
const ROOT_FILES = ['ASSEMBLY.md', 'LICENSE', 'README.md', GOVERNANCE_FILE];

export function shapeOf(names: readonly string[]): RootShape {
  if (names.includes('ASSEMBLY.md')) return 'assembly';
  if (FLOW_SENTINELS.some((sentinel) => names.includes(sentinel))) return 'flow';
  return names.includes('STAGE.md') ? 'stage' : 'assembly';
}

/** The sentinels that a mis-cased file at the root of this shape may have been meant for: any that makes a root, where nothing else does. */
export function rootSentinels(names: readonly string[]): readonly string[] {
  return names.includes('ASSEMBLY.md') || names.includes('flows') ? ['ASSEMBLY.md'] : ['ASSEMBLY.md', ...FLOW_SENTINELS, 'STAGE.md'];
}

/** Whether a file is the root's sentinel with its case mistaken. */
export function isMiscasedRoot(name: string, names: readonly string[]): boolean {
  const meant = posesAsSentinel(name)?.meant;
  return meant !== undefined && meant.toLowerCase() === name.toLowerCase() && rootSentinels(names).includes(meant);
}

/**
 * `read`: part of the assembly. `name`: refused by its name, so what is inside is of no interest. `opaque`: not part of the assembly,
 * never looked at.
 */
export type RootTreatment = 'read' | 'name' | 'opaque';

/** Decides for every name at the root. `sentinel` holds the bytes of ASSEMBLY.md when it is a readable file. */
export function treatRoot(
  names: readonly string[],
  sentinel: Uint8Array | undefined,
): (name: string, kind: 'file' | 'folder' | 'other') => RootTreatment {
  const shape = shapeOf(names);
  if (shape !== 'assembly') return (name, kind) => (kind !== 'folder' || mayStandInLoneFolder(name) ? 'read' : 'name');
  const says = sentinel && readPolicy(sentinel);
  return (name, kind) => {
    if (ROOT_FOLDERS.includes(name) || isRootFile(name)) return 'read';
    // Nobody knows what the author calls opaque: saying that an entry is unknown could be wrong.
    if (!says) return isMiscasedRoot(name, names) ? 'read' : 'opaque';
    if (!says.strict || (kind === 'folder' && says.folders.includes(name))) return 'opaque';
    return kind === 'folder' ? 'name' : 'read';
  };
}

interface Policy {
  readonly strict: boolean;
  readonly folders: readonly unknown[];
}

function readPolicy(bytes: Uint8Array): Policy | null {
  const split = splitFrontMatter(bytes, { fences: 'required' });
  if (!split.ok || !isRecord(split.data)) return null;
  const folders: unknown = split.data.folders ?? [];
  return Array.isArray(folders) ? { strict: split.data.strict !== false, folders } : null;
}

/** Whether a file of that name belongs to the root of an assembly. */
export function isRootFile(name: string): boolean {
  return ROOT_FILES.includes(name) || isContractName(name);
}

function mayStandInLoneFolder(name: string): boolean {
  return numbered(name) !== null || ['gate', 'lib', 'skills', 'subflows'].includes(name);
}
