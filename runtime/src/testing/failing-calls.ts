import { DiskError } from '../ports/disk.js';

export interface Failure {
  /** Which call fails, from 1, counted over all operations. */
  readonly call: number;
  /** `ENOSPC`, `EIO`, `EACCES`, `EMFILE`. */
  readonly code: string;
}

/** Notes a call, and throws a `DiskError` when it is the one that has to fail. */
export type Count = (operation: string, path: string) => void;

/** One count for everything that touches a file system, so that every call of a story can be made to fail in turn. */
export function countCalls(failure: Failure | null): { readonly calls: readonly string[]; readonly count: Count } {
  const calls: string[] = [];
  return {
    calls,
    count(operation, path) {
      calls.push(`${operation} ${path}`);
      if (failure && calls.length === failure.call) throw new DiskError(operation, path, failure.code);
    },
  };
}
