/**
 * The file system as the runtime needs it. Paths are absolute.
 * Every method rejects with a `DiskError` that names the operation and the path; nothing else is thrown.
 * New folders are 0700, new files 0600 unless a mode is given (O-6).
 */
export interface Disk {
  /** The whole file. For what is known to be small. All reading refuses what is no regular file (`EISDIR`, `ELOOP`, `EFTYPE`), so that it never waits. */
  read(path: string): Promise<Uint8Array>;
  /** At most the first `bytes` bytes. */
  readHead(path: string, bytes: number): Promise<Uint8Array>;
  /** The whole file in pieces of at most 1 MiB, in flat memory. A piece is good only until the next one is asked for. */
  stream(path: string): AsyncIterable<Uint8Array>;
  /**
   * Writes through a sibling temporary file and a rename, so that a reader sees the old bytes or the new, never a part. Creates parents.
   * A mode of `kept` leaves mode and owner as they were; what is new then gets what the user's umask gives.
   */
  write(path: string, bytes: Uint8Array | string, options?: { readonly mode?: number | 'kept'; readonly durable?: boolean }): Promise<void>;
  /** Streams `from` into `to`, hashing what is written; refuses to follow a link at `from`. `durable` syncs before resolving. Creates parents. */
  copy(from: string, to: string, options?: { readonly mode?: number; readonly durable?: boolean }): Promise<Digest>;
  /** Streams the file through SHA-256 without following a link at the end of the path. */
  hash(path: string): Promise<Digest>;
  /** What stands at the path, not following a link; null when nothing does. */
  look(path: string): Promise<Standing | null>;
  /** The real path, or null when something on the way does not exist. */
  real(path: string): Promise<string | null>;
  /** Names in bytewise order. */
  list(path: string): Promise<readonly string[]>;
  /** With parents; an existing folder is fine. */
  makeFolder(path: string): Promise<void>;
  /** Files and folders, whatever their modes; absent is fine. */
  remove(path: string): Promise<void>;
  rename(from: string, to: string): Promise<void>;
  /** Bytes of all regular files below, following no link, stopping early past `limit`. */
  measure(path: string, limit: number): Promise<number>;
}

export interface Digest {
  /** Lower-case hex SHA-256. */
  readonly sha256: string;
  readonly bytes: number;
}

export interface Standing {
  readonly kind: 'file' | 'folder' | 'link' | 'other';
  readonly size: number;
  readonly executable: boolean;
}

export class DiskError extends Error {
  constructor(
    /** The operation in words: `write`, `copy`, … */
    readonly operation: string,
    readonly path: string,
    /** The system's code, `ENOSPC` and the like. */
    readonly code: string,
  ) {
    super(`${operation} ${path}: ${code}`);
    this.name = 'DiskError';
  }
}
