/** Why a run is being stopped from outside; the first reason wins. */
export type StopReason =
  | { readonly stop: 'signal'; readonly signal: number; readonly name: 'SIGINT' | 'SIGTERM' | 'SIGHUP' }
  | { readonly stop: 'deadline'; readonly seconds: number }
  /** A contract halts everything; a sentence says which clause. */
  | { readonly stop: 'halt'; readonly reason: string };

/** One for the whole run. `signal.reason` is a StopReason once aborted. */
export interface Stop {
  readonly signal: AbortSignal;
  reason(): StopReason | null;
}
