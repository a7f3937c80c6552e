import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import { compareBytes } from '@gated-flow/text';
import type { ChangeMark, Changes } from '../ports/changes.js';
import { type Git, gitAt } from './worktree/git.js';

/** The port on the git that is installed. */
export const changes: Changes = {
  async mark(folder): Promise<ChangeMark | null> {
    const git = gitAt(folder);
    const before = await stateOf(git, folder);
    if (before === null) return null;
    return {
      async since() {
        const after = await stateOf(git, folder);
        return after === null ? null : changedBetween(before, after, git);
      },
    };
  },
};

interface State {
  /** The commit; null before the first. */
  readonly head: string | null;
  /** What differs from it: path relative to the folder → what it is now. */
  readonly dirty: ReadonlyMap<string, string>;
}

async function stateOf(git: Git, folder: string): Promise<State | null> {
  const prefix = await git(['rev-parse', '--show-prefix']);
  if (!prefix.ok) return null;
  const head = await git(['rev-parse', '--verify', '--quiet', 'HEAD']);
  const status = await git(['status', '--porcelain=v1', '-z', '--untracked-files=all', '--no-renames', '--', '.']);
  if (!status.ok) return null;
  const dirty = new Map<string, string>();
  for (const entry of status.out.split('\0')) {
    const path = entry.slice(3);
    if (path === '') continue;
    const own = path.startsWith(prefix.out) ? path.slice(prefix.out.length) : path;
    dirty.set(own, `${entry.slice(0, 2)} ${formOf(join(folder, own))}`);
  }
  return { head: head.ok ? head.out : null, dirty };
}

function formOf(path: string): string {
  try {
    const { mode, size, mtimeNs, ino } = lstatSync(path, { bigint: true });
    return `${mode} ${size} ${mtimeNs} ${ino}`;
  } catch {
    return 'absent';
  }
}

/** The tree without a file, which every repository of git knows. */
const EMPTY_TREE = '4b825dc642cb6eb9a060e54bf8d69288fbee4904';

async function changedBetween(before: State, after: State, git: Git): Promise<readonly string[]> {
  const names = new Set([...before.dirty.keys(), ...after.dirty.keys()]);
  const changed = new Set([...names].filter((name) => before.dirty.get(name) !== after.dirty.get(name)));
  if (before.head !== after.head && after.head !== null) {
    const from = before.head ?? EMPTY_TREE;
    const diff = await git(['diff', '--name-only', '-z', '--no-renames', '--relative', from, after.head, '--', '.']);
    for (const name of diff.ok ? diff.out.split('\0') : []) if (name !== '') changed.add(name);
  }
  return [...changed].sort(compareBytes);
}
