/** Child runs, as a stage and a fan-out see them (G-6, G-7). */
import type { Flow } from '@gated-flow/assembly';
import type { Cause } from '@gated-flow/record';

export interface Children {
  /** How many calls stand between the outermost run and this one: 0 for the outermost. */
  readonly depth: number;
  /**
   * Runs a flow as a child run with a record of its own, below the caller's attempt. Its ending is an answer; rejects only when that
   * could not be recorded.
   */
  run(call: ChildCall): Promise<ChildEnded>;
}

export interface ChildCall {
  readonly flow: Flow;
  /** The place in this run's record below which the child's tree stands. */
  readonly caller: { readonly stage: string; readonly repeat?: number; readonly retry: number };
  /** Counted from 1 for a caller, across its batches. */
  readonly n: number;
  /** A fan-out item's id. */
  readonly item?: string;
  readonly request: ChildRequest;
}

/** What the child is asked: the name it has in `$INPUT`, and its bytes. */
export interface ChildRequest {
  readonly name: string;
  readonly bytes: Uint8Array;
}

export interface ChildEnded {
  readonly cause: Cause;
  readonly exit: number;
  readonly reason?: string;
  /** What the child's author or its agent said, where that ended it: all of a reason that another agent may read (P-2). */
  readonly words?: string;
  /** The sealed output; null unless the cause is success. */
  readonly output: { /** Absolute. */ readonly file: string; readonly sha256: string; readonly bytes: number } | null;
}
