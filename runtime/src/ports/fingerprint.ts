/** All that stands below a path, in one hash (G-12): names, kinds, modes and bytes, and where links lead. No times, no owners. */
export type Fingerprint =
  | { readonly print: 'taken'; /** Lower-case hex SHA-256. */ readonly sha256: string }
  /** It cannot be said what stands there; half a sentence why. */
  | { readonly print: 'none'; readonly why: string };

export interface Fingerprints {
  /** Absolute path of a folder or a file. Resolves early, as `none`, once `stop` is aborted. Never rejects for a disk. */
  of(path: string, stop: AbortSignal): Promise<Fingerprint>;
}

/**
 * Fingerprints that remember what they have read: a file is read again only when its inode, size or times have moved. `leftOut`: absolute
 * paths of folders that are no part of what they stand in.
 */
export type OpenFingerprints = (leftOut: readonly string[]) => Fingerprints;
