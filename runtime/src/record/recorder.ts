import type { Fact, SessionEntry } from '@gated-flow/record';

/** The only writer of a run's record. One append each, in call order, before the runtime acts on the fact. */
export interface Recorder {
  /** Stamps time and chain and appends one line. Throws a DiskError when the line could not be written whole; the file then ends at the last whole line. */
  append(fact: Fact): void;
  /** Makes what was appended durable. Rejects with a DiskError. */
  sync(): Promise<void>;
  /** Whether the file is still what was written: inode, size and, when its change time moved, its hash. */
  intact(): Promise<boolean>;
  close(): void;
}

/** The only writer of a stage's session file. */
export interface SessionLog {
  /** Appends one line; throws a DiskError. */
  append(entry: SessionEntry): void;
  /** SHA-256 of the file's bytes so far, and how many lines. */
  digest(): { readonly sha256: string; readonly lines: number };
  close(): void;
}
