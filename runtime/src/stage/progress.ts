import type { SealedFile } from '@gated-flow/record';
import type { Mark } from '../agent/control/control.js';
import type { HeldContracts } from '../contract/held.js';
import type { StageEntry } from '../governance/entry.js';
import type { HeldAgent } from '../agent/held.js';
import type { Ending } from './decide.js';
import { NO_WORKSPACE, type Workspace } from '../prompt/workspace.js';
import type { SessionLog } from '../record/recorder.js';
import type { Shaped } from './reuse/gather.js';
import type { Earlier } from './reuse/reuse.js';
import type { Tree } from './reuse/shape.js';

/** What changes while a stage runs, beside the ladder's own state. */
export interface Progress {
  readonly marks: Map<number, Mark>;
  workspace: Workspace;
  /** The agent started programs since it was last given something to read. */
  commands: boolean;
  /** The question may be answered now. */
  asked: boolean;
  /** The attempt under way. */
  attempt: number;
  /** How many child runs the agent has called so far, over all of its attempts. */
  children: number;
  agent: HeldAgent | null;
  session: SessionLog | null;
  /** Hash of the output when the round began. */
  judged: string | null;
  /** A check looked at more than whether there is an output. */
  beyondOutput: boolean;
  kept: SealedFile | null;
  /** The trees in reach before the stage began, where a `before` stands between then and its agent. */
  entered: readonly Tree[] | null;
  /** What shapes the stage's work, when it may be reused. */
  shaped: Shaped | null;
  /** The work of an earlier run that stands at `$OUTPUT`. */
  earlier: Earlier | null;
  /** The contracts over the stage, once they are opened. */
  contracts: HeldContracts | null;
  /** The stage as the governance contract sees it, once it is entered. */
  entry: StageEntry | null;
  /** What keeps its agent from running, by them. */
  barred: Ending | null;
}

export function beginning(): Progress {
  return {
    marks: new Map(),
    workspace: NO_WORKSPACE,
    commands: false,
    asked: false,
    attempt: 1,
    children: 0,
    agent: null,
    session: null,
    judged: null,
    beyondOutput: false,
    kept: null,
    entered: null,
    shaped: null,
    earlier: null,
    contracts: null,
    entry: null,
    barred: null,
  };
}
