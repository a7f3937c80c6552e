/** Where a watched assembly can change. Pure. */
import { dirname, sep } from 'node:path';
import type { WatchedPlaces } from '../ports/tree-watch.js';

export interface Ground {
  /** Absolute, real path of the assembly's root. It may be gone for a while. */
  readonly root: string;
  /** Absolute, real. What stands between it and the root is looked at too, so that the root may go and come again. */
  readonly cwd: string;
  /** Absolute paths of single files that count: the request, the task, the script. */
  readonly files: readonly string[];
  /** Names at the root that are no part of the assembly. */
  readonly opaque: readonly string[];
  /** Absolute; never looked at, wherever it stands. Null when there is none. */
  readonly home: string | null;
}

/** What an author keeps beside a stage to try its gates on; rehearsals write it (M-6). Every other name with a dot is no part of the assembly. */
export const FIXTURES = '.fixtures';

export function placesOf({ root, cwd, files, opaque, home }: Ground): WatchedPlaces {
  const top = root !== cwd && isInside(root, cwd) ? cwd : dirname(root);
  const above = new Set(foldersBetween(top, root));
  const exact = new Set([...files, ...files.map((file) => dirname(file))]);
  const hidden = new Set(opaque);
  return {
    folders: [...new Set([top, ...files.map((file) => dirname(file))])],
    keeps(path) {
      if (above.has(path) || exact.has(path)) return true;
      if (!isInside(path, root) || (home !== null && (path === home || isInside(path, home)))) return false;
      const names = path.slice(root.length + (root.endsWith(sep) ? 0 : 1)).split(sep);
      return !hidden.has(names[0] ?? '') && names.every((name) => !name.startsWith('.') || name === FIXTURES);
    },
  };
}

function isInside(path: string, folder: string): boolean {
  return path.startsWith(folder.endsWith(sep) ? folder : folder + sep);
}

/** Both included. */
function foldersBetween(top: string, root: string): string[] {
  const folders = [root];
  for (let at = root; at !== top && at !== dirname(at); at = dirname(at)) folders.push(dirname(at));
  return folders;
}
