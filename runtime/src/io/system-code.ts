/** The system's code of a failed call, `ENOSPC` and the like; `EIO` for an error without one. */
export function systemCode(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : 'EIO';
}
