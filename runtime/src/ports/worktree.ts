/** A working tree of a run's own, for `--isolate` (O-7). The user's branch, index and files are never touched. */
export interface Worktrees {
  /**
   * Makes a fresh git worktree of the repository that holds `from`, at HEAD, without a branch; `dirty` adds uncommitted and untracked
   * changes. `folder` must not exist. What cannot be done is a value, with a message for the user. Rejects with a DiskError.
   */
  open(
    request: WorktreeRequest,
  ): Promise<{ readonly ok: true; readonly worktree: Worktree } | { readonly ok: false; readonly message: string }>;
}

export interface WorktreeRequest {
  /** Absolute: the working tree the user named, or a folder inside one. */
  readonly from: string;
  /** Absolute: where the worktree goes. */
  readonly folder: string;
  /** The branch that the changes are committed to, `flow/<run>`. */
  readonly branch: string;
  readonly dirty: boolean;
}

export interface Worktree {
  /** What `from` became: the worktree, or the same folder inside it. */
  readonly workdir: string;
  /** Notes how the tree stands now, but for what git ignores. Null when git cannot say. */
  mark(): Promise<WorktreeMark | null>;
  /**
   * Closes it: without changes it is removed; with changes they are committed to the branch on success and the worktree is removed,
   * and on failure it is kept as it is. Never rejects: what git or the disk refused is told in the lines, and then everything is kept.
   */
  close(outcome: 'success' | 'failure'): Promise<WorktreeEnd>;
}

export interface WorktreeMark {
  /** Puts the tree back to where it stood: what git does not ignore, and HEAD. Rejects with an Error that says why not. */
  restore(): Promise<void>;
}

export interface WorktreeEnd {
  readonly left: 'nothing' | 'branch' | 'worktree';
  /** For the user: how to merge or to drop what is left. Empty for nothing. */
  readonly lines: readonly string[];
}
