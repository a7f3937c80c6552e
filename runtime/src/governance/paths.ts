/** The names by which rules may mean a file. */
import { relative, sep } from 'node:path';
import { isWithin, placeOf } from '../agent/tools/place.js';
import { realPlace } from '../agent/tools/real-place.js';
import type { Caller } from '../permit/link.js';

/** As given, absolute, by its slot, relative to the working tree, and all of that again behind links (V-2). */
export async function namesOf(given: string, { slots, disk }: Pick<Caller, 'slots' | 'disk'>): Promise<readonly string[]> {
  const place = placeOf(given, slots);
  if (!place.ok) return [given];
  const real = await realPlace(place.path, disk);
  const tree = slots['PWD'];
  const realTree = tree === undefined ? null : await realPlace(tree, disk);
  const names = [given, place.shown, place.path, real, inside(place.path, tree), inside(real, tree), inside(real, realTree)];
  return [...new Set(names.flatMap((name) => (name === null || name === '' ? [] : [name])))];
}

function inside(path: string | null, tree: string | null | undefined): string | null {
  if (path === null || tree === null || tree === undefined || !isWithin(path, tree)) return null;
  return relative(tree, path).split(sep).join('/');
}
