import { realpath, stat } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import type { WorktreeRequest, Worktrees } from '../ports/worktree.js';
import { makeFolders } from './disk/folder.js';
import { guarded } from './disk/guard.js';
import { closeWorktree, type Opened } from './worktree/close.js';
import { markTree } from './worktree/mark.js';
import { gitAt, gitOf, GitTrouble, must, type Git } from './worktree/git.js';
import { headOf, removeSpare, snapshotTree } from './worktree/snapshot.js';

type OpenResult = Awaited<ReturnType<Worktrees['open']>>;

export const worktrees: Worktrees = {
  async open(request) {
    try {
      return await open(request);
    } catch (error) {
      if (error instanceof GitTrouble) return refused(`No separate working tree could be made of ${request.from}: ${error.message}.`);
      throw error;
    }
  },
};

async function open(request: WorktreeRequest): Promise<OpenResult> {
  const { from, folder, dirty } = request;
  const home = gitAt(from);
  const found = await home(['rev-parse', '--show-toplevel']);
  if (!found.ok) return refused(noRepository(from, found.complaint));
  const top = found.out;
  if (!(await home(['rev-parse', '--verify', '--quiet', 'HEAD^{commit}'])).ok) {
    return refused(`The git repository ${top} has no commit yet, so there is nothing to isolate. Commit first, or leave out --isolate.`);
  }

  await makeFoldersTo(dirname(folder), 0o700);
  await must(home(['worktree', 'add', '--quiet', '--detach', folder, 'HEAD']));
  try {
    const opened = await fill(request, top, home);
    const workdir = join(folder, relative(await resolved(top), await resolved(from)));
    if (dirty) await makeFoldersTo(workdir, 0o777);
    if (await isFolder(workdir))
      return { ok: true, worktree: { workdir, mark: () => markTree(opened), close: (outcome) => closeWorktree(opened, outcome) } };
  } catch (error) {
    await home(['worktree', 'remove', '--force', folder]);
    await removeSpare(request);
    throw error;
  }
  await home(['worktree', 'remove', '--force', folder]);
  return refused(
    `${from} is not part of the last commit of ${top}. Commit it, or use --isolate=dirty, which takes along what is not committed.`,
  );
}

/** Puts what is not committed into the new worktree, when that is wanted, and notes how it looks at the start. */
async function fill(request: WorktreeRequest, top: string, home: Git): Promise<Opened> {
  const { folder, dirty } = request;
  const inside = gitOf(await must(gitAt(folder)(['rev-parse', '--absolute-git-dir'])), folder);
  const base = await headOf(inside);
  const opened = { request, top, home: gitAt(top), inside, base };
  if (!dirty) return { ...opened, startTree: base.tree };
  const startTree = await snapshotTree(home, request);
  await must(inside(['read-tree', '-m', '-u', 'HEAD', startTree]));
  await must(inside(['reset', '--quiet', '--mixed', 'HEAD']));
  return { ...opened, startTree };
}

function makeFoldersTo(path: string, mode: number): Promise<void> {
  return guarded('make folder', path, () => makeFolders(path, mode));
}

function resolved(path: string): Promise<string> {
  return guarded('resolve', path, () => realpath(path));
}

function noRepository(from: string, complaint: string): string {
  if (/not installed/.test(complaint)) return 'git is not installed, and --isolate needs it. Install it, or leave out --isolate.';
  if (/dubious ownership/.test(complaint)) {
    return `git does not trust the repository at ${from}, because it belongs to somebody else. Trust it with: git config --global --add safe.directory ${from}`;
  }
  return `${from} is not in the working tree of a git repository, and --isolate needs one. Make one with git init and a commit, or leave out --isolate.`;
}

function refused(message: string): OpenResult {
  return { ok: false, message };
}

async function isFolder(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );
}
