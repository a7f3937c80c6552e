import { createHash } from 'node:crypto';
import { compareBytes } from '@gated-flow/text';
import type { FileEntry, Snapshot } from './snapshot.js';

/**
 * The assembly's hash: SHA-256, lower-case hex, over one line per visible file, `path:sha256` or `path:sha256:x`
 * for an executable one, each line ended by a newline, paths in bytewise UTF-8 order.
 */
export function hashSnapshot(snapshot: Snapshot): { readonly hash: string; readonly files: number } {
  const files = filesOf(snapshot);
  const hash = createHash('sha256');
  for (const file of files) hash.update(`${file.path}:${file.sha256}${file.executable ? ':x' : ''}\n`);
  return { hash: hash.digest('hex'), files: files.length };
}

/** Every visible file, paths in bytewise UTF-8 order. */
export function filesOf(snapshot: Snapshot): readonly FileEntry[] {
  const files: FileEntry[] = [];
  for (const entry of snapshot.entries.values()) if (entry.kind === 'file') files.push(entry);
  return files.sort((a, b) => compareBytes(a.path, b.path));
}
