/** A request for leave that nobody answered. */
export interface PendingRequest {
  readonly id: string;
  /** Of the run in the tree of runs: see `RunPart`. */
  readonly within: string;
}

/** What the end of a run says of the requests in it and in its children (V-5). */
export function pendingIn(
  { pending }: { readonly pending: readonly PendingRequest[] },
  within: string,
): { readonly pending?: readonly string[] } {
  const ids = pending.filter((request) => request.within.startsWith(within)).map(({ id }) => id);
  return ids.length === 0 ? {} : { pending: ids };
}
