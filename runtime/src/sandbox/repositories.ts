/** What git obeys in a working tree: whoever changes it makes git start programs, outside as well (I-13). */
import { basename, dirname, join } from 'node:path';
import type { Disk } from '../ports/disk.js';
import { quiet } from './quiet.js';
import type { Place } from './places.js';

type Looking = Pick<Disk, 'look' | 'list' | 'readHead' | 'real'>;

export interface GuardedRepositories {
  readonly places: readonly Place[];
  /** Removes what makes git look for its configuration elsewhere, and was not there before. No mount can keep a file from being made. */
  restore(): Promise<void>;
}

/** Folders of the working tree in which a repository of their own is looked for. */
const LOOKED_AT = 500;
const MODULES_BYTES = 1 << 16;
const DEEPEST_MODULE = 4;

/** The repositories of a working tree as they are now. */
export async function guardRepositories(tree: string, disk: Looking & Pick<Disk, 'remove'>): Promise<GuardedRepositories> {
  const places = await repositoryPlaces((await quiet(disk.real(tree))) ?? tree, disk);
  const links = places.filter(({ path }) => basename(path) === 'hooks').map(({ path }) => join(dirname(path), 'commondir'));
  const absent = await Promise.all(links.map(async (path) => ((await quiet(disk.look(path))) === null ? [path] : [])));
  return {
    places,
    async restore() {
      for (const path of absent.flat()) if ((await quiet(disk.look(path))) !== null) await quiet(disk.remove(path));
    },
  };
}

/**
 * The repository of the working tree, those directly below it, and its submodules. Repositories that stand deeper are not looked for.
 * A `.git` that is a link is left alone: what it leads to is outside, and only readable.
 */
async function repositoryPlaces(tree: string, disk: Looking): Promise<readonly Place[]> {
  const names = (await quiet(disk.list(tree))) ?? [];
  const modules = names.includes('.gitmodules') ? await modulePaths(tree, disk) : [];
  const below = names.filter((name) => name !== '.git').slice(0, LOOKED_AT);
  const found = await Promise.all(['', ...below, ...modules].map((name) => placesOf(join(tree, name, '.git'), disk)));
  return found.flat();
}

async function placesOf(git: string, disk: Looking): Promise<readonly Place[]> {
  // A place is said by its real path: what a link leads to is not in the tree, or is found there.
  if ((await quiet(disk.real(git))) !== git) return [];
  const standing = await quiet(disk.look(git));
  // It says where the repository is: another one there would be obeyed instead.
  if (standing?.kind === 'file') return [{ path: git, kind: 'file', sight: 'readable', optional: true }];
  if (standing?.kind !== 'folder') return [];
  return [...(await guarded(git, disk)), ...(await moduleStores(join(git, 'modules'), disk, DEEPEST_MODULE))];
}

/** A folder of hooks that is not there is made, so that nobody else makes it. */
async function guarded(store: string, disk: Looking): Promise<readonly Place[]> {
  const hooks = await quiet(disk.look(join(store, 'hooks')));
  const files = await Promise.all(
    ['config', 'config.worktree'].map(async (name) =>
      (await quiet(disk.look(join(store, name))))?.kind === 'file' ? [join(store, name)] : [],
    ),
  );
  return [
    hooks === null
      ? { path: join(store, 'hooks'), kind: 'folder', sight: 'hidden' }
      : { path: join(store, 'hooks'), kind: 'folder', sight: 'readable', optional: true },
    ...files.flat().map((path): Place => ({ path, kind: 'file', sight: 'readable', optional: true })),
  ];
}

/** The stores of submodules, which have configurations and hooks of their own. Their names may hold slashes. */
async function moduleStores(folder: string, disk: Looking, deepest: number): Promise<readonly Place[]> {
  if (deepest === 0 || (await quiet(disk.look(folder)))?.kind !== 'folder') return [];
  const names = ((await quiet(disk.list(folder))) ?? []).slice(0, LOOKED_AT);
  if (names.includes('HEAD'))
    return [...(await guarded(folder, disk)), ...(await moduleStores(join(folder, 'modules'), disk, deepest - 1))];
  return (await Promise.all(names.map((name) => moduleStores(join(folder, name), disk, deepest - 1)))).flat();
}

async function modulePaths(tree: string, disk: Looking): Promise<string[]> {
  const bytes = await quiet(disk.readHead(join(tree, '.gitmodules'), MODULES_BYTES));
  const lines = bytes === null ? [] : Buffer.from(bytes).toString('utf8').split('\n');
  const paths = lines.flatMap((line) => /^\s*path\s*=\s*(\S.*?)\s*$/.exec(line)?.[1] ?? []);
  return paths.filter((path) => !path.startsWith('/') && !path.split('/').includes('..')).slice(0, LOOKED_AT);
}
