/** What became of the items that were begun, in their order, and how many were under way at once at most. */
export interface Bounded<R> {
  readonly results: readonly { readonly index: number; readonly result: R }[];
  readonly concurrent: number;
}

/**
 * Begins the items in order, at most `width` at a time, while `goOn` says so; waits for all that were begun. When one rejects, no other
 * is begun, and it rejects in turn once those under way are over: nothing is left running behind the caller's back.
 */
export async function bounded<T, R>(
  items: readonly T[],
  { width, goOn, run }: { readonly width: number; goOn(): boolean; run(item: T): Promise<R> },
): Promise<Bounded<R>> {
  const results: { index: number; result: R }[] = [];
  let next = 0;
  let running = 0;
  let concurrent = 0;
  let broken = false;

  const takeTurns = async (): Promise<void> => {
    while (next < items.length && !broken && goOn()) {
      const index = next++;
      const item = items[index];
      if (item === undefined) return;
      running += 1;
      concurrent = Math.max(concurrent, running);
      try {
        results.push({ index, result: await run(item) });
      } catch (error) {
        broken = true;
        throw error;
      } finally {
        running -= 1;
      }
    }
  };
  const lanes = await Promise.allSettled(Array.from({ length: Math.min(width, items.length) }, takeTurns));
  for (const lane of lanes) if (lane.status === 'rejected') throw lane.reason;
  return { results: results.sort((a, b) => a.index - b.index), concurrent };
}
