import { hasControl } from './names.js';
import type { Reading, SoundEntry } from './reading.js';
import { pathIn } from '../snapshot.js';

/** Where a step stands, known before it is read. */
export interface Spot {
  /** The identity. */
  readonly name: string;
  /** The path inside the flow, numbers kept, `.md` dropped. */
  readonly path: string;
  /** The file or folder in the assembly. */
  readonly entry: string;
  readonly kind: 'file' | 'folder';
  /** The `lib` folders in reach, narrowest first. */
  readonly libs: readonly string[];
}

/** The folder that a reader stands in: its path in the assembly, its path in the flow (empty for the flow itself), and what reaches down. */
export interface Ground {
  readonly folder: string;
  readonly path: string;
  readonly libs: readonly string[];
}

export function groundOf(spot: Spot): Ground {
  return { folder: spot.entry, path: spot.path, libs: spot.libs };
}

export function pathBelow(ground: Ground, name: string): string {
  return ground.path === '' ? name : `${ground.path}/${name}`;
}

/** The libs in reach of what stands in a folder that may have a `lib/` of its own. */
export function libsWith(reading: Reading, folder: string, outer: readonly string[]): readonly string[] {
  const lib = libIn(reading, folder);
  return lib === undefined ? outer : [lib, ...outer];
}

export function libIn(reading: Reading, folder: string): string | undefined {
  const path = pathIn(folder, 'lib');
  return reading.snapshot.entries.get(path)?.kind === 'folder' ? path : undefined;
}

const MAX_NAME_BYTES = 200;

/** Refuses a name that cannot be an identity. Names with control characters are refused by a rule of their own. */
export function checkIdentity(reading: Reading, entry: SoundEntry, name: string): void {
  const fault = namingFault(name);
  if (fault !== null) reading.refuse('value-invalid', entry.path, fault);
}

/** Why a name cannot be an identity, as a sentence; null when it can. */
export function identityFault(name: string): string | null {
  return hasControl(name) ? 'The name holds a control character. Choose another name.' : namingFault(name);
}

/** The same for a name that never becomes a file beside the request. */
export function checkLength(reading: Reading, entry: SoundEntry, name: string): void {
  const fault = lengthFault(name);
  if (fault !== null) reading.refuse('value-invalid', entry.path, fault);
}

function namingFault(name: string): string | null {
  if (name === '') return 'The name after the number is empty. Write it as NUMBER-NAME, such as 01-read.md.';
  if (name === 'request') return 'The name "request" belongs to the file that carries the request. Choose another name.';
  return lengthFault(name);
}

function lengthFault(name: string): string | null {
  const bytes = Buffer.byteLength(name);
  return bytes > MAX_NAME_BYTES ? `The name has ${bytes} bytes; at most ${MAX_NAME_BYTES} are allowed. Shorten it.` : null;
}
