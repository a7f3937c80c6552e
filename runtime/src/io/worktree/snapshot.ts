import { copyFile, rm, stat, utimes } from 'node:fs/promises';
import type { WorktreeRequest } from '../../ports/worktree.js';
import { asDiskError, guarded, isAbsent } from '../disk/guard.js';
import { must, type Git } from './git.js';

/** Beside the worktree's folder lies the copy of an index while it is looked at. */
type Place = Pick<WorktreeRequest, 'folder'>;

/**
 * The tree object of everything in a working tree that git does not ignore, staged or not. Works on a copy of the index, so the
 * tree's own is not touched. Throws GitTrouble, or a DiskError.
 */
export async function snapshotTree(git: Git, request: Place): Promise<string> {
  const spare = spareIndex(request);
  const index = await must(git(['rev-parse', '--path-format=absolute', '--git-path', 'index']));
  try {
    await copyIndex(index, spare);
    const env = { GIT_INDEX_FILE: spare };
    await must(git(['add', '--all', '--', ':/'], env));
    return await must(git(['write-tree'], env));
  } finally {
    await guarded('remove', spare, () => rm(spare, { force: true }));
  }
}

/**
 * The copy keeps the index's own time. Git looks into a file of unchanged size and time only when the index is no younger than
 * the file; a younger copy would hide a change made in the second in which the tree was checked out.
 */
async function copyIndex(index: string, spare: string): Promise<void> {
  try {
    await copyFile(index, spare);
    const { atime, mtime } = await stat(index);
    await utimes(spare, atime, mtime);
  } catch (error) {
    if (!isAbsent(error)) throw asDiskError('copy', index, error);
  }
}

function spareIndex({ folder }: Place): string {
  return `${folder}.index`;
}

/** Once more, after a disk that said no: what cannot be removed stays. */
export async function removeSpare(request: Place): Promise<void> {
  await rm(spareIndex(request), { force: true }).catch(() => undefined);
}

/** The commit and tree a working tree stands on. Throws GitTrouble. */
export async function headOf(git: Git): Promise<{ readonly commit: string; readonly tree: string }> {
  const [commit = '', tree = ''] = (await must(git(['rev-parse', 'HEAD^{commit}', 'HEAD^{tree}']))).split('\n');
  return { commit, tree };
}
