import { join } from 'node:path';
import type { FileEntry, Snapshot } from '@gated-flow/assembly';
import { DiskError, type Disk } from '../ports/disk.js';

/** Copies the assembly into the run's folder from the bytes that were judged; larger files are hashed while they are copied and must be the same (O-8, A-20). */
export async function copyAssembly(snapshot: Snapshot, to: string, disk: Disk): Promise<void> {
  await disk.makeFolder(to);
  for (const entry of snapshot.entries.values()) {
    if (entry.kind === 'folder') await disk.makeFolder(join(to, entry.path));
    if (entry.kind === 'file') await copyFile(entry, { snapshot, to, disk });
  }
}

async function copyFile(entry: FileEntry, { snapshot, to, disk }: { snapshot: Snapshot; to: string; disk: Disk }): Promise<void> {
  const mode = entry.executable ? 0o700 : 0o600;
  if (entry.bytes) return disk.write(join(to, entry.path), entry.bytes, { mode });
  const { sha256 } = await disk.copy(join(snapshot.root, entry.path), join(to, entry.path), { mode });
  if (sha256 !== entry.sha256) throw new DiskError('copy', entry.path, 'the file changed while the run was starting');
}
