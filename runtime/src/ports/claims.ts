/** Names in the file system that exactly one process can win. All methods reject with a `DiskError` when the disk itself fails. */
export interface Claims {
  /** Makes one folder, 0700. False when anything stands there already. */
  folder(path: string): Promise<boolean>;
  /** Makes one file, 0600, with this text. False when anything stands there already; a file that could not be written whole is taken away again. */
  file(path: string, text: string): Promise<boolean>;
  /** What stands at a path, not following a link, and whether the user of this process owns it. */
  owner(path: string): Promise<Ownership>;
}

export type Ownership = 'absent' | 'own-folder' | 'foreign-folder' | 'link' | 'no-folder';
