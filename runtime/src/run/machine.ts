/** The machine a run happens on: the adapters of the ports, as the composition root hands them in. */
import type { Claims } from '../ports/claims.js';
import type { AppendFile } from '../ports/append.js';
import type { Changes } from '../ports/changes.js';
import type { Clock } from '../ports/clock.js';
import type { ConfineDisk, FindLauncher } from '../ports/containment.js';
import type { Disk } from '../ports/disk.js';
import type { OpenFingerprints } from '../ports/fingerprint.js';
import type { HashTree } from '../ports/hash-tree.js';
import type { Ids } from '../ports/ids.js';
import type { ProcessMark, Processes } from '../ports/processes.js';
import type { EndRemains } from '../ports/remains.js';
import type { Programs } from '../ports/programs.js';
import type { Stop } from '../ports/stop.js';
import type { Worktrees } from '../ports/worktree.js';

export interface Machine {
  readonly disk: Disk;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly claims: Claims;
  readonly processes: Processes;
  readonly hashTree: HashTree;
  readonly openFingerprints: OpenFingerprints;
  readonly worktrees: Worktrees;
  readonly endRemains: EndRemains;
  readonly changes: Changes;
  openAppend(path: string): AppendFile;
  /** `started` is told the leader of every process group before the program is relied on (R-7). */
  programs(started: (leader: ProcessMark) => void): Programs;
  readonly findLauncher: FindLauncher;
  readonly confine: ConfineDisk;
  /** SIGINT, SIGTERM and SIGHUP (E-2). */
  readonly signals: Stop;
  /** The caller's environment. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The system's folder for temporary files: absolute. */
  readonly temporary: string;
  readonly node: string;
  readonly version: string;
  /** First `.fixtures/pass/*` of a stage folder, as bytes (M-6). */
  fixture(root: string, stageEntry: string): Uint8Array | null;
}
