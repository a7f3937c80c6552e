/** What changes under a folder of a git tree. */
export interface Changes {
  /** Notes how the folder stands now, but for what git ignores. Null where there is no tree of git, or git cannot say. */
  mark(folder: string): Promise<ChangeMark | null>;
}

export interface ChangeMark {
  /** The files that were made, changed or removed since, committed or not: relative to the folder, in bytewise order. Null when git cannot say. */
  since(): Promise<readonly string[] | null>;
}
