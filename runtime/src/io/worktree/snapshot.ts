import { copyFile, rm } from 'node:fs/promises';
import { isAbsent } from '../disk/guard.js';
import { must, type Git } from './git.js';

/**
 * The tree object of everything in a working tree that git does not ignore, staged or not. Works on a copy of the index, so the
 * tree's own is not touched. Throws GitTrouble.
 */
export async function snapshotTree(git: Git, spare: string): Promise<string> {
  const index = await must(git(['rev-parse', '--path-format=absolute', '--git-path', 'index']));
  try {
    await copyFile(index, spare).catch((error: unknown) => {
      if (!isAbsent(error)) throw error;
    });
    const env = { GIT_INDEX_FILE: spare };
    await must(git(['add', '--all', '--', ':/'], env));
    return await must(git(['write-tree'], env));
  } finally {
    await rm(spare, { force: true });
  }
}

/** The commit and tree a working tree stands on. Throws GitTrouble. */
export async function headOf(git: Git): Promise<{ readonly commit: string; readonly tree: string }> {
  const [commit = '', tree = ''] = (await must(git(['rev-parse', 'HEAD^{commit}', 'HEAD^{tree}']))).split('\n');
  return { commit, tree };
}
