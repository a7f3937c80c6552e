/** What the stages of a run see of its contracts. */
import type { Contract } from '@gated-flow/contract';
import type { StageScope } from '../stage/scope.js';
import type { HeldContracts } from './held.js';

export interface RunContracts {
  /** Those at these paths, in order: for what is told an agent. */
  at(paths: readonly string[]): readonly Contract[];
  /** Opens a session of each contract over the stage. Rejects with a DiskError. */
  hold(scope: StageScope): Promise<HeldContracts>;
  /** A stage works in the tree from now until the answer is called. `place` is its folder in the record. */
  atWork(place: string): () => void;
}
