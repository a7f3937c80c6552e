import { DiskError } from '../../ports/disk.js';

/** Runs one operation and turns the system's error into a `DiskError` that names it. Anything else is a bug and passes. */
export async function guarded<T>(operation: string, path: string, act: () => T | Promise<T>): Promise<T> {
  try {
    return await act();
  } catch (error) {
    throw asDiskError(operation, path, error);
  }
}

export function asDiskError(operation: string, path: string, error: unknown): unknown {
  if (error instanceof DiskError) return error;
  const code = codeOf(error);
  return code === null ? error : new DiskError(operation, path, code);
}

/** The system's code of an error: `ENOENT` and the like; null when it has none. */
export function codeOf(error: unknown): string | null {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : null;
}

/** Whether the error says that nothing stands at the path. */
export function isAbsent(error: unknown): boolean {
  const code = codeOf(error);
  return code === 'ENOENT' || code === 'ENOTDIR';
}
