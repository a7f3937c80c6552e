import { realpath } from 'node:fs/promises';
import type { KeptTrees } from '../../ports/kept-trees.js';
import { gitAt } from './git.js';

/** The port on the real git. */
export const keptTrees: KeptTrees = {
  async state(folder) {
    const real = await realpath(folder).catch(() => null);
    if (real === null) return 'none';
    const git = gitAt(real);
    const [top, own, shared] = await Promise.all([
      git(['rev-parse', '--show-toplevel']),
      git(['rev-parse', '--absolute-git-dir']),
      git(['rev-parse', '--path-format=absolute', '--git-common-dir']),
    ]);
    if (!top.ok || !own.ok || !shared.ok || top.out !== real || own.out === shared.out) return 'unknown';
    const changes = await git(['status', '--porcelain', '--untracked-files=normal']);
    if (!changes.ok) return 'unknown';
    if (changes.out !== '') return 'unmerged';
    const holders = await git(['for-each-ref', '--count=1', '--contains', 'HEAD', 'refs/heads', 'refs/remotes', 'refs/tags']);
    if (!holders.ok) return 'unknown';
    return holders.out === '' ? 'unmerged' : 'merged';
  },
  async drop(folder) {
    const real = await realpath(folder).catch(() => null);
    if (real === null) return true;
    const shared = await gitAt(real)(['rev-parse', '--path-format=absolute', '--git-common-dir']);
    return shared.ok && (await gitAt(shared.out)(['worktree', 'remove', real])).ok;
  },
};
