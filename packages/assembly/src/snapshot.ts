import { compareBytes } from '@gated-flow/text';

/**
 * An assembly folder as it was read, once. Everything after the reading (validation, hashing, the run's copy)
 * works on these values, so that what was judged is what runs.
 */

/** One visible entry. `path` is relative to the root, `/`-separated; the root itself is `.`. */
export type Entry = FolderEntry | FileEntry | StrangeEntry;

export interface FolderEntry {
  readonly kind: 'folder';
  readonly path: string;
}

export interface FileEntry {
  readonly kind: 'file';
  readonly path: string;
  /** Size in bytes. */
  readonly size: number;
  /** Whether the owner may execute it. */
  readonly executable: boolean;
  /** Lower-case hex SHA-256 of the bytes. */
  readonly sha256: string;
  /** The bytes, for files of at most 1 MiB and for markdown and schema files of at most 4 MiB. Larger files are hashed again while they are copied. */
  readonly bytes?: Uint8Array;
  /** The first bytes (at most 256), present for every file: enough for a shebang or a binary header. */
  readonly head: Uint8Array;
}

/** An entry that an assembly may not have: each becomes a refusal. */
export interface StrangeEntry {
  readonly kind: 'link' | 'other' | 'unreadable';
  readonly path: string;
  /** What it is, or why it could not be read, for the message. */
  readonly detail: string;
}

export interface Snapshot {
  /** The absolute path the entries were read from. Used for the run's copy of large files and for messages; never for a decision. */
  readonly root: string;
  /** By path. Dot-entries and opaque folders are absent. */
  readonly entries: ReadonlyMap<string, Entry>;
  /** The entries directly inside a folder, in bytewise order of their names. */
  children(path: string): readonly Entry[];
  /** Top-level names that were left unread because ASSEMBLY.md calls them opaque. */
  readonly opaque: readonly string[];
}

/** Builds a snapshot from its entries. Paths are unique; a folder above an entry has an entry of its own. */
export function snapshotOf(root: string, entries: readonly Entry[], opaque: readonly string[] = []): Snapshot {
  const byPath = new Map<string, Entry>();
  const byFolder = new Map<string, Entry[]>();
  for (const entry of entries) {
    byPath.set(entry.path, entry);
    const folder = folderOf(entry.path);
    const siblings = byFolder.get(folder);
    if (siblings) siblings.push(entry);
    else byFolder.set(folder, [entry]);
  }
  for (const siblings of byFolder.values()) siblings.sort((a, b) => compareBytes(a.path, b.path));
  return { root, entries: byPath, opaque, children: (path) => byFolder.get(path) ?? [] };
}

/** The folder that a path stands in; `.` for a name at the root. */
export function folderOf(path: string): string {
  const cut = path.lastIndexOf('/');
  return cut === -1 ? '.' : path.slice(0, cut);
}

/** The last name of a path. */
export function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

/** The path of a name in a folder. */
export function pathIn(folder: string, name: string): string {
  return folder === '.' ? name : `${folder}/${name}`;
}
