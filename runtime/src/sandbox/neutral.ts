/** Where gates and hooks stand inside: at a path that tells nothing of the assembly and the run (I-13). Pure. */
import { join } from 'node:path';
import type { Executable } from '@gated-flow/assembly';
import type { Place } from './places.js';

/** In a folder that is emptied for every contained program. */
const NEUTRAL = '/run/w';

/**
 * The file inside, and what is shown for it: itself, and its `lib` folders as far above it as they are in the assembly, so that it
 * reaches them as `$(dirname "$0")/lib` and `../lib`.
 */
export function neutralPlaces({ path, libs }: Executable, copy: string): { readonly file: string; readonly places: readonly Place[] } {
  const file = neutral(path);
  const folders = libs.map((lib): Place => ({
    path: neutral(lib),
    kind: 'folder',
    sight: 'readable',
    from: join(copy, lib),
    optional: true,
  }));
  return { file, places: [{ path: file, kind: 'file', sight: 'readable', from: join(copy, path) }, ...folders] };
}

/** Every folder on the way gets a number for a name. */
function neutral(path: string): string {
  const names = path.split('/');
  return [NEUTRAL, ...names.slice(0, -1).map((_, index) => String(index + 1)), ...names.slice(-1)].join('/');
}

/** The capture that a `failure` hook is told of stands in the record (K-12): it is shown elsewhere. */
export function neutralReason(env: Readonly<Record<string, string>>): {
  readonly env: Readonly<Record<string, string>>;
  readonly places: readonly Place[];
} {
  const { REASON: from } = env;
  if (from === undefined) return { env, places: [] };
  const path = join(NEUTRAL, 'reason.txt');
  return { env: { ...env, REASON: path }, places: [{ path, kind: 'file', sight: 'readable', from }] };
}
