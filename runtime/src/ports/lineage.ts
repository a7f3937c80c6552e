import type { ProcessMark } from './processes.js';

/** The processes that this one stems from. */
export interface Lineage {
  /** This process and its parents, as far as the system tells, and the process groups they are in. */
  own(): { readonly processes: readonly ProcessMark[]; readonly groups: readonly number[] };
  /** Whether one of them was started with this folder as `TMPDIR` or `INPUT`, or a folder in it. */
  carries(folder: string): boolean;
}
