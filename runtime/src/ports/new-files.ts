/** Makes what did not exist. Rejects with a `DiskError` when the disk itself fails. */
export interface NewFiles {
  /**
   * One file with these bytes, in folders that are made when they are absent; modes are what the user's umask leaves. False when
   * anything stands at the path already: nothing is ever overwritten or written through a link.
   */
  file(path: string, bytes: Uint8Array, options: { readonly executable: boolean }): Promise<boolean>;
}
