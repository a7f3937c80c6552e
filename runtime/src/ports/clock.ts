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

/** `sleep` of a clock whose `after` is this one. */
export function sleepBy(after: Clock['after']): Clock['sleep'] {
  return (ms, signal) =>
    new Promise((resolve) => {
      if (signal?.aborted) return resolve();
      const finish = () => {
        cancel();
        signal?.removeEventListener('abort', finish);
        resolve();
      };
      const cancel = after(ms, finish);
      signal?.addEventListener('abort', finish);
    });
}
