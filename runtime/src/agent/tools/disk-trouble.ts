import { DiskError } from '../../ports/disk.js';
import { failed, type ToolOutput } from './tool.js';

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'does not exist',
  EISDIR: 'is a folder, not a file',
  ENOTDIR: 'cannot exist: a part of its path is a file, not a folder',
  EFTYPE: 'is not a regular file (a device, a pipe or a socket)',
  ENXIO: 'is not a regular file (a device, a pipe or a socket)',
  ELOOP: 'is a link that leads in a circle',
  EACCES: 'may not be accessed',
  EPERM: 'may not be changed',
  EROFS: 'lies on a file system that cannot be written',
  ENAMETOOLONG: 'has a name that is too long',
  ENOSPC: 'could not be written: no space is left on the disk',
  EDQUOT: 'could not be written: the disk quota is used up',
};

/** Does a tool's work on the disk; what the disk refuses becomes a result that speaks of `shown`, never of the real path (L-6). */
export async function onDisk(shown: string, work: () => Promise<ToolOutput>): Promise<ToolOutput> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof DiskError)) throw error;
    return failed(`${shown} ${REASONS[error.code] ?? `could not be used (${error.code})`}.`);
  }
}
