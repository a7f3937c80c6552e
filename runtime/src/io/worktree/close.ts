import { rm } from 'node:fs/promises';
import { DiskError } from '../../ports/disk.js';
import type { WorktreeEnd, WorktreeRequest } from '../../ports/worktree.js';
import { guarded } from '../disk/guard.js';
import { GitTrouble, must, type Git } from './git.js';
import { headOf, removeSpare, snapshotTree } from './snapshot.js';

/** An open worktree, and what it looked like at the start. */
export interface Opened {
  readonly request: WorktreeRequest;
  /** The top of the user's own working tree. */
  readonly top: string;
  /** In the user's working tree. */
  readonly home: Git;
  /** In the worktree. */
  readonly inside: Git;
  readonly base: { readonly commit: string; readonly tree: string };
  /** With `dirty`, HEAD with the uncommitted changes; else HEAD's tree. */
  readonly startTree: string;
}

/** Removes, commits or keeps the worktree (O-7). Never rejects for anything that git or the disk says. */
export async function closeWorktree(opened: Opened, outcome: 'success' | 'failure'): Promise<WorktreeEnd> {
  try {
    const head = await headOf(opened.inside);
    const tree = await snapshotTree(opened.inside, opened.request);
    const changed = head.commit !== opened.base.commit || tree !== opened.startTree;
    if (changed && outcome === 'failure') return kept(opened, `The changes are kept in ${opened.request.folder}.`);
    if (changed) await commit(opened, head, tree);
    await remove(opened);
    return changed ? branched(opened) : { left: 'nothing', lines: [] };
  } catch (error) {
    if (!(error instanceof GitTrouble || error instanceof DiskError)) throw error;
    await removeSpare(opened.request);
    return kept(opened, `The working tree in ${opened.request.folder} could not be closed (${error.message}) and is kept.`);
  }
}

/** Makes commits and the branch as objects only: no index, no checkout, no hook takes part. */
async function commit({ request, inside, base, startTree }: Opened, head: { commit: string; tree: string }, tree: string): Promise<void> {
  const env = await identity(inside);
  const commitTree = (what: string, parent: string, message: string) =>
    must(inside(['commit-tree', what, '-p', parent, '-m', message], env));
  let tip = head.commit;
  // The user's own uncommitted changes stand in a commit before, so that the last one shows what was done here.
  if (tip === base.commit && startTree !== base.tree) tip = await commitTree(startTree, tip, 'Uncommitted changes at the start');
  if (tree !== (tip === head.commit ? head.tree : startTree)) tip = await commitTree(tree, tip, request.branch);
  await must(inside(['update-ref', `refs/heads/${request.branch}`, tip, '']));
}

/** The user's identity; where git knows none, a made-up one, so that the work is not lost for a missing name. */
async function identity(git: Git): Promise<Record<string, string>> {
  if ((await git(['var', 'GIT_AUTHOR_IDENT'])).ok && (await git(['var', 'GIT_COMMITTER_IDENT'])).ok) return {};
  const [name, email] = ['flow', 'flow@localhost'];
  return { GIT_AUTHOR_NAME: name, GIT_AUTHOR_EMAIL: email, GIT_COMMITTER_NAME: name, GIT_COMMITTER_EMAIL: email };
}

async function remove({ home, request }: Opened): Promise<void> {
  if ((await home(['worktree', 'remove', '--force', '--force', request.folder])).ok) return;
  await guarded('remove', request.folder, () => rm(request.folder, { recursive: true, force: true }));
  await must(home(['worktree', 'prune']));
}

function branched({ top, request: { branch } }: Opened): WorktreeEnd {
  return {
    left: 'branch',
    lines: [
      `The changes are on the branch ${branch}.`,
      `  to merge them: git -C ${quoted(top)} merge ${branch}`,
      `  to drop them:  git -C ${quoted(top)} branch -D ${branch}`,
    ],
  };
}

function kept({ top, request: { folder } }: Opened, what: string): WorktreeEnd {
  return {
    left: 'worktree',
    lines: [
      what,
      `  to look at them: git -C ${quoted(folder)} status`,
      `  to drop them:    git -C ${quoted(top)} worktree remove --force ${quoted(folder)}`,
    ],
  };
}

/** As a word of a shell command. */
function quoted(path: string): string {
  return /^[\w./+=:,@-]+$/.test(path) ? path : `'${path.replaceAll("'", `'\\''`)}'`;
}
