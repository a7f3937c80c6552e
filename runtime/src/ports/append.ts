/**
 * A file of this process that only grows. Every method but `close` fails with a `DiskError`, thrown or rejected.
 */
export interface AppendFile {
  /** Appends all of the bytes or none: after a failure the file ends where it ended before. Once that cannot be kept, every later append fails. */
  append(bytes: Uint8Array): void;
  /** Makes the bytes durable. */
  sync(): Promise<void>;
  /** The open file as it stands now. */
  stamp(): FileStamp;
  /** What stands at the path now, not following a link; null when nothing does. */
  standing(): Promise<FileStamp | null>;
  /** Lower-case hex SHA-256 of what stands at the path. */
  hash(): Promise<string>;
  /** Never fails. */
  close(): void;
}

/** Creates the file, which must not exist, 0600. Throws a `DiskError`. */
export type OpenAppend = (path: string) => AppendFile;

/** Equal stamps of one file: nobody wrote to it or touched it in between. Times are nanoseconds since 1970. */
export interface FileStamp {
  readonly device: bigint;
  readonly inode: bigint;
  readonly size: bigint;
  readonly modified: bigint;
  readonly changed: bigint;
}
