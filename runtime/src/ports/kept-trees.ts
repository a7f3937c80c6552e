/** Working trees that isolated runs left standing (O-7). Nothing rejects: what git does not say is `unknown`. */
export interface KeptTrees {
  /**
   * `none`: nothing stands there. `merged`: no change is uncommitted, and its commit is on a branch or a tag of the repository.
   * `unmerged`: it holds work that is nowhere else. `unknown`: git cannot say, or the folder is no worktree of its own.
   */
  state(folder: string): Promise<'none' | 'merged' | 'unmerged' | 'unknown'>;
  /** Removes a worktree as git itself does when it finds no change in it. Whether it is gone. */
  drop(folder: string): Promise<boolean>;
}
