/** The only input and output of the package: a folder is read once, without following a link, without executing, without writing. */
import { hash as digest, createHash } from 'node:crypto';
import type { Dirent } from 'node:fs';
import { closeSync, constants, fstatSync, lstatSync, openSync, readSync, readdirSync, realpathSync, statSync } from 'node:fs';
import { compareBytes, isUtf8 } from '@gated-flow/text';
import type { Kind } from './disk-words.js';
import { SPECIAL, reasonOf } from './disk-words.js';
import { MAX_TEXT_BYTES } from './read/document.js';
import { treatRoot } from './read/root.js';
import type { Refusal } from './refusals.js';
import type { Entry, FileEntry, Snapshot, StrangeEntry } from './snapshot.js';
import { nameOf, pathIn, snapshotOf } from './snapshot.js';

export type SnapshotResult =
  { readonly ok: true; readonly snapshot: Snapshot } | { readonly ok: false; readonly refusals: readonly Refusal[] };

/** Files up to this size are kept in memory; larger ones are hashed here and again while they are copied. */
const MAX_KEPT_BYTES = 1024 * 1024;
/** How much is kept besides the files that have to be read, so that a large `lib/` does not fill the memory. */
const MAX_KEPT_TOTAL = 256 * 1024 * 1024;
const HEAD_BYTES = 256;
const CHUNK_BYTES = 1024 * 1024;
const MAX_DEPTH = 64;
const MAX_ENTRIES = 1_000_000;
const NO_FOLLOW = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

/** Reads the folder `root` (an absolute path). What cannot be read inside becomes an entry that says so; only the root itself fails. */
export function readSnapshot(root: string): SnapshotResult {
  const walk: Walk = { root, entries: new Map(), largest: MAX_KEPT_BYTES, keep: MAX_KEPT_TOTAL };
  const names = listFolder(root);
  if (!names.ok) return { ok: false, refusals: [{ code: 'unreadable', path: '.', message: `The folder cannot be read: ${names.why}.` }] };
  const sentinel = names.list.find(({ name, kind }) => name === 'ASSEMBLY.md' && kind === 'file');
  if (sentinel) readEntry(walk, '.', sentinel, 0);
  const opaque: string[] = [];
  const read = walk.entries.get('ASSEMBLY.md');
  const treat = treatRoot(
    names.list.map(({ name }) => name),
    read?.kind === 'file' ? read.bytes : undefined,
  );
  for (const each of names.list) {
    if (each === sentinel) continue;
    const treatment = treat(each.name, each.kind === 'file' || each.kind === 'folder' ? each.kind : 'other');
    if (treatment === 'opaque') opaque.push(each.name);
    else if (treatment === 'name' && each.kind === 'folder') put(walk, { kind: 'folder', path: each.name });
    else readEntry(walk, '.', each, 0);
  }
  return { ok: true, snapshot: snapshotOf(root, [...walk.entries.values()], opaque) };
}

/** The first file of a stage's `.fixtures/pass/`, in name order: an output that its checks are known to pass. `stage` is the stage's folder. */
export function passFixture(root: string, stage: string): { readonly name: string; readonly bytes: Uint8Array } | null {
  const folder = `${root}/${stage}/.fixtures/pass`;
  const listed = listFolder(folder);
  const first = listed.ok ? listed.list.filter(({ kind }) => kind === 'file').sort((a, b) => compareBytes(a.name, b.name))[0] : undefined;
  if (!first) return null;
  const file = readFile({ root: folder, entries: new Map(), largest: Number.MAX_SAFE_INTEGER, keep: Number.MAX_SAFE_INTEGER }, first.name);
  return file.kind === 'file' && file.bytes ? { name: first.name, bytes: file.bytes } : null;
}

/** What `locate` has to know of the disk. */
export interface Look {
  /** The path with every link followed, and what stands there; null when nothing does. */
  real(path: string): { readonly path: string; readonly kind: 'file' | 'folder' | 'other' } | null;
  /** Visible names in bytewise order; none when it is no readable folder. */
  names(path: string): readonly string[];
}

export const look: Look = {
  real: (path) => {
    try {
      const real = realpathSync(path);
      const stat = statSync(real);
      return { path: real, kind: stat.isFile() ? 'file' : stat.isDirectory() ? 'folder' : 'other' };
    } catch {
      return null;
    }
  },
  names: (path) => {
    const listed = listFolder(path);
    return listed.ok ? listed.list.map(({ name }) => name).sort(compareBytes) : [];
  },
};

interface Walk {
  readonly root: string;
  readonly entries: Map<string, Entry>;
  /** Bytes of the largest file that is kept without anybody having to read it. */
  readonly largest: number;
  /** Bytes that may still be kept of such files. */
  keep: number;
}

function put(walk: Walk, entry: Entry): void {
  // A name that is no UTF-8 is shown in an escaped form, which a real file could also have: the refusal must not be lost.
  const earlier = walk.entries.get(entry.path);
  if (!earlier || earlier.kind === 'file' || earlier.kind === 'folder') walk.entries.set(entry.path, entry);
}

function readEntry(walk: Walk, folder: string, { name, kind }: Listed, depth: number): void {
  const path = pathIn(folder, name);
  if (walk.entries.size >= MAX_ENTRIES)
    put(
      walk,
      strange(
        'unreadable',
        folder,
        `There are more than ${MAX_ENTRIES} entries. List folders that do not belong to the assembly under "folders:" in ASSEMBLY.md.`,
      ),
    );
  else if (kind === 'folder') readFolder(walk, path, depth + 1);
  else if (kind === 'file') put(walk, readFile(walk, path));
  else put(walk, strange(kind === 'link' ? 'link' : 'other', path, SPECIAL[kind]));
}

function readFolder(walk: Walk, path: string, depth: number): void {
  put(walk, { kind: 'folder', path });
  if (depth > MAX_DEPTH) {
    walk.entries.set(path, strange('unreadable', path, `Folders are nested more than ${MAX_DEPTH} deep here. Flatten them.`));
    return;
  }
  const listed = listFolder(absolute(walk, path));
  if (!listed.ok) walk.entries.set(path, strange('unreadable', path, `The folder cannot be read: ${listed.why}.`));
  else for (const each of listed.list) readEntry(walk, path, each, depth);
}

interface Listed {
  readonly name: string;
  readonly kind: Kind;
}

type Listing = { readonly ok: true; readonly list: readonly Listed[] } | { readonly ok: false; readonly why: string };

/** Names without a leading dot. Fails when the path is no real folder any more. */
function listFolder(path: string): Listing {
  try {
    const dirents = readdirSync(path, { withFileTypes: true });
    if (!lstatSync(path).isDirectory()) return { ok: false, why: 'it is no longer a folder' };
    // Bytes that are no UTF-8 come back as U+FFFD: only then is the folder read again as bytes.
    const list = dirents.some(({ name }) => name.includes('\uFFFD'))
      ? listAsBytes(path)
      : dirents.map((dirent) => ({ name: dirent.name, kind: kindOf(dirent) }));
    return { ok: true, list: list.filter(({ name }) => !name.startsWith('.')) };
  } catch (error) {
    return { ok: false, why: reasonOf(error) };
  }
}

function listAsBytes(path: string): readonly Listed[] {
  return readdirSync(path, { withFileTypes: true, encoding: 'buffer' }).map((dirent) => {
    if (isUtf8(dirent.name)) return { name: dirent.name.toString('utf8'), kind: kindOf(dirent) };
    return { name: escapedBytes(dirent.name), kind: 'not-utf8' };
  });
}

function escapedBytes(name: Uint8Array): string {
  return Array.from(name, (byte) =>
    byte >= 0x20 && byte < 0x7f ? String.fromCharCode(byte) : `\\x${byte.toString(16).padStart(2, '0')}`,
  ).join('');
}

function kindOf(dirent: Dirent<string> | Dirent<Buffer>): Kind {
  if (dirent.isFile()) return 'file';
  if (dirent.isDirectory()) return 'folder';
  if (dirent.isSymbolicLink()) return 'link';
  if (dirent.isFIFO()) return 'pipe';
  return dirent.isSocket() ? 'socket' : 'device';
}

/** Opens without following a link and without waiting for a writer, and looks again at what was opened: the name may have changed hands. */
function readFile(walk: Walk, path: string): FileEntry | StrangeEntry {
  let descriptor: number | undefined;
  try {
    descriptor = openSync(absolute(walk, path), NO_FOLLOW);
    const stat = fstatSync(descriptor);
    if (!stat.isFile()) return strange('other', path, 'This is no plain file any more.');
    const executable = (stat.mode & constants.S_IXUSR) !== 0;
    const content = keeps(walk, path, stat.size) ? readWhole(descriptor, stat.size) : readInChunks(descriptor);
    if (content.size !== stat.size) return strange('unreadable', path, 'The file changed while it was read. Try again.');
    return { kind: 'file', path, executable, ...content };
  } catch (error) {
    return strange('unreadable', path, `The file cannot be read: ${reasonOf(error)}.`);
  } finally {
    if (descriptor !== undefined) closeRead(descriptor);
  }
}

/** What was read was read: a close that fails takes nothing of it away. */
function closeRead(descriptor: number): void {
  try {
    closeSync(descriptor);
  } catch {
    // The descriptor is gone all the same.
  }
}

function keeps(walk: Walk, path: string, size: number): boolean {
  if (hasToBeRead(path)) return size <= MAX_TEXT_BYTES;
  if (size > walk.largest || size > walk.keep) return false;
  walk.keep -= size;
  return true;
}

/** Markdown, schemas and contracts. */
function hasToBeRead(path: string): boolean {
  const name = nameOf(path);
  return name.endsWith('.md') || name === 'schema.json' || /\.contract\.(?:yaml|json)$/u.test(name);
}

type Content = Pick<FileEntry, 'size' | 'sha256' | 'head' | 'bytes'>;

function readWhole(descriptor: number, size: number): Content {
  // One byte more than expected, so that a file that grew is noticed.
  const buffer = Buffer.allocUnsafe(size + 1);
  let filled = 0;
  for (let read = -1; read !== 0 && filled < buffer.length; filled += read)
    read = readSync(descriptor, buffer, filled, buffer.length - filled, null);
  const bytes = buffer.subarray(0, filled);
  return { size: filled, sha256: digest('sha256', bytes, 'hex'), head: bytes.subarray(0, HEAD_BYTES), bytes };
}

function readInChunks(descriptor: number): Content {
  const chunk = Buffer.allocUnsafe(CHUNK_BYTES);
  const hash = createHash('sha256');
  let head: Uint8Array = new Uint8Array();
  let size = 0;
  for (let read = -1; read !== 0; size += read) {
    read = readSync(descriptor, chunk, 0, CHUNK_BYTES, null);
    if (size === 0) head = new Uint8Array(chunk.subarray(0, Math.min(read, HEAD_BYTES)));
    hash.update(chunk.subarray(0, read));
  }
  return { size, sha256: hash.digest('hex'), head };
}

function absolute(walk: Walk, path: string): string {
  return `${walk.root}/${path}`;
}

function strange(kind: StrangeEntry['kind'], path: string, detail: string): StrangeEntry {
  return { kind, path, detail };
}
