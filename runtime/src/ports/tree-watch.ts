/** Tells that something changed below some folders. Which change it was, and whether it was one at all, is for the reader to find out. */
export interface TreeWatch {
  close(): Promise<void>;
}

/** What is looked at. Paths are absolute. */
export interface WatchedPlaces {
  /** Where looking begins; what is not kept below them is not looked at. A folder may be absent, and come. */
  readonly folders: readonly string[];
  keeps(path: string): boolean;
}

export interface TreeListener {
  /** Something was added, removed or written, or its mode changed. May be told more often than it happened. */
  changed(): void;
  /** The system tells of changes no more; its code, such as `ENOSPC`. */
  failed(code: string): void;
}
