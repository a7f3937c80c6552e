/** What a contained program sees at which path. Pure. */
import { dirname } from 'node:path';
import { isWithin } from '../agent/tools/place.js';

/**
 * `hidden`: nothing is there, and nothing can be put there. `private`: an empty folder that can be written and goes with the program.
 * `readable` and `writable`: what is there.
 */
export type Sight = 'hidden' | 'private' | 'readable' | 'writable';

export interface Place {
  /** Absolute, with every link resolved. */
  readonly path: string;
  readonly kind: 'folder' | 'file';
  readonly sight: Sight;
  /** What is shown there, when it stands elsewhere. */
  readonly from?: string;
  /** It may be gone by the time it is used: then it is left out. */
  readonly optional?: true;
}

/**
 * The places in the order in which they are laid over the root: what lies deeper stands over what lies above it, and of one path the
 * last one said. What changes nothing is left out. Every folder between a writable place and something in it that is hidden or only
 * readable becomes a place of its own: it cannot be renamed then, and what lies in it not be led around (I-13).
 */
export function arrange(places: readonly Place[]): readonly Place[] {
  const last = new Map(places.map((place) => [place.path, place]));
  const sorted = [...last.values()].sort((a, b) => depth(a.path) - depth(b.path) || (a.path < b.path ? -1 : 1));
  const kept: Place[] = [];
  for (const place of sorted) {
    const above = placeOver(kept, place.path);
    if (above !== null && isEmptied(above) && isEmptied(place) && !(place.sight === 'private' && above.sight === 'hidden')) continue;
    if (place.from === undefined && place.sight === (above?.sight ?? 'readable')) continue;
    for (const folder of above?.sight === 'writable' ? foldersBetween(above.path, place.path) : []) {
      if (!kept.some(({ path }) => path === folder)) kept.push({ path: folder, kind: 'folder', sight: 'writable', optional: true });
    }
    kept.push(place);
  }
  return kept.sort((a, b) => depth(a.path) - depth(b.path));
}

/** The place that decides about a path; null when none does, and the path is only readable. */
export function placeOver(places: readonly Place[], path: string): Place | null {
  let best: Place | null = null;
  for (const place of places) if (isWithin(path, place.path) && (best === null || place.path.length > best.path.length)) best = place;
  return best;
}

function isEmptied({ sight }: Place): boolean {
  return sight === 'hidden' || sight === 'private';
}

function foldersBetween(above: string, path: string): string[] {
  const folder = dirname(path);
  return folder === above || folder === '/' ? [] : [...foldersBetween(above, folder), folder];
}

function depth(path: string): number {
  return path === '/' ? 0 : path.split('/').length - 1;
}
