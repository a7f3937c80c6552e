import { copyFile, rm } from 'node:fs/promises';
import type { WorktreeMark } from '../../ports/worktree.js';
import { guarded } from '../disk/guard.js';
import type { Opened } from './close.js';
import { GitTrouble, must, type Git } from './git.js';
import { headOf, snapshotTree } from './snapshot.js';

/** Where a tree stands, to come back to. Null when git refuses. Throws a DiskError. */
export async function markTree({ inside, request }: Opened): Promise<WorktreeMark | null> {
  try {
    const [head, tree] = [await headOf(inside), await snapshotTree(inside, request)];
    return { restore: () => restore(inside, { folder: request.folder, commit: head.commit, tree }) };
  } catch (error) {
    if (error instanceof GitTrouble) return null;
    throw error;
  }
}

interface Mark {
  readonly folder: string;
  readonly commit: string;
  readonly tree: string;
}

/** In an index of its own, which knows the files as they are, so that git removes what was added since. Throws GitTrouble, or a DiskError. */
async function restore(git: Git, { folder, commit, tree }: Mark): Promise<void> {
  const spare = `${folder}.restore`;
  const env = { GIT_INDEX_FILE: spare };
  const index = await must(git(['rev-parse', '--path-format=absolute', '--git-path', 'index']));
  try {
    await guarded('copy', index, () => copyFile(index, spare));
    await must(git(['add', '--all', '--', ':/'], env));
    const now = await must(git(['write-tree'], env));
    await must(git(['read-tree', '-m', '-u', now, tree], env));
  } finally {
    await guarded('remove', spare, () => rm(spare, { force: true }));
  }
  await must(git(['update-ref', '--no-deref', 'HEAD', commit]));
  await must(git(['reset', '--quiet', '--mixed', commit]));
}
