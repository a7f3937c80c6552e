import { DiskError, type Disk } from '../../ports/disk.js';

/**
 * Writes a file the way an agent's tools do: atomically, through a link to the file it leads to, keeping mode and owner. What is
 * no regular file is refused: a rename would put a file in the place of a device. Rejects with a DiskError.
 */
export async function putFile(path: string, bytes: Uint8Array, disk: Disk): Promise<void> {
  const target = (await disk.real(path)) ?? path;
  const standing = await disk.look(target);
  if (standing?.kind === 'folder') throw new DiskError('write', path, 'EISDIR');
  if (standing?.kind === 'other') throw new DiskError('write', path, 'EFTYPE');
  await disk.write(target, bytes, { mode: 'kept' });
}
