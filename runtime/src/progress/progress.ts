import type { Clock } from '../ports/clock.js';
import type { Cause } from '@gated-flow/record';
import type { ChildBoard, FanoutBoard, StageBoard } from './board.js';

/** Tells somebody how a run goes. */
export interface Progress {
  line(text: string): void;
  started(stage: StageBoard): void;
  /** It waits for its provider: see `doing`. */
  waiting(stage: StageBoard): void;
  /** A round failed: the newest of `stage.said`. */
  said(stage: StageBoard): void;
  ended(stage: StageBoard): void;
  /** A child run is over. */
  returned(child: ChildBoard): void;
  /** A fan-out is over. */
  fannedOut(fanout: FanoutBoard, cause: Cause): void;
  /** Nothing is told any more. */
  close(): void;
}

export interface Telling {
  readonly clock: Clock;
  /** Takes secrets and control characters out of a line. */
  clean(line: string): string;
  /** Columns of the longest stage path. */
  readonly nameWidth: number;
}

/** For `--quiet`. */
export const SILENT: Progress = {
  line: () => {},
  started: () => {},
  waiting: () => {},
  said: () => {},
  ended: () => {},
  returned: () => {},
  fannedOut: () => {},
  close: () => {},
};
