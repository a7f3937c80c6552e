import type { ProcessMark } from './processes.js';

/** What may be left of a run whose own process died. All of it was noted on this boot of this machine. */
export interface Remains {
  /** Leaders of its process groups, as they were born. */
  readonly groups: readonly ProcessMark[];
  /** Its scratch folders: its programs carry one of them, or a path below, as `TMPDIR`. */
  readonly scratch: readonly string[];
  /** The run's folder by its real path: its programs print into files there. */
  readonly folder: string;
}

/**
 * Ends the processes that certainly belong to the run: SIGTERM, 5 s, SIGKILL. Answers how many there were. A number that went to
 * a stranger meanwhile is never hit; where the system does not tell start times nothing is.
 */
export type EndRemains = (remains: Remains) => Promise<number>;
