/** What the stages of a run see of the governance contract. */
import type { AgentClock } from '../agent/clock.js';
import type { Call, Caller, Permission } from '../permit/link.js';
import type { Given, StageScope } from '../stage/scope.js';
import type { StageEntry } from './entry.js';

export interface Governed {
  /** What an agent reads beforehand, for `# Permissions`; null when there is nothing to say (V-5). */
  readonly permissions: string | null;
  /** SHA-256 of each of its files. */
  readonly files: readonly string[];
  /** Before anything of one pass of a stage is done: what it is given says what is asked of it (V-6). Never rejects for what stands in it. */
  enter(scope: StageScope, given: readonly Given[]): Promise<StageEntry>;
  /** Holds the agent of one pass of a stage to it. */
  hold(scope: StageScope, work: Work): Promise<LiveGovernance>;
}

/** The agent's work, as far as its calls are judged. */
export interface Work {
  /** Stands still while somebody is asked (L-5). */
  readonly clock: Pick<AgentClock, 'pause' | 'start'>;
  /** The attempt under way. */
  attempt(): number;
}

/** Both are asked for each call, in this order. Both reject only with a DiskError. */
export interface LiveGovernance {
  /** What the contract says of the call, recorded; what needs approval passes here and is held in `approve` (V-2 to V-4, V-7). */
  judge(call: Call, caller: Caller): Promise<Permission>;
  /** Holds a call until somebody gave leave for it, or nobody did (V-5). */
  approve(call: Call): Promise<Permission>;
}
