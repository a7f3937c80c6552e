export interface Clock {
  /** Milliseconds since 1970, UTC. */
  now(): number;
  /** Monotonic milliseconds, for durations. */
  elapsed(): number;
  /** Resolves after `ms`, or at once when the signal aborts; never rejects. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
  /** Calls back once after `ms` (any length, also past 2^31); the returned function cancels. */
  after(ms: number, act: () => void): () => void;
}
