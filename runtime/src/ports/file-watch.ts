/** Tells when a file changes. A change may be missed or told twice: it shortens a wait, and nothing may rely on it alone. */
export interface FileWatch {
  /** Resolves at the next change; never rejects, and may never resolve. */
  changed(): Promise<void>;
  close(): Promise<void>;
}
