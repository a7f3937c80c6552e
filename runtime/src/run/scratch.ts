import { isAbsolute, join, relative } from 'node:path';

/**
 * Where a run's scratch goes (S-6): in the caller's cache folder, or, when that lies inside the working tree, in the system's
 * temporary folder, since `$OUTPUT` must not stand in `$PWD` (S-4). The name tells nothing.
 */
export function scratchPath(
  {
    env,
    temporary,
    workdir,
  }: { readonly env: Readonly<Record<string, string | undefined>>; readonly temporary: string; readonly workdir: string },
  hex: string,
): string {
  const cache = cacheFolder(env) ?? temporary;
  const inside = relative(workdir, cache);
  const within = inside === '' || (!inside.startsWith('..') && !isAbsolute(inside));
  return join(within ? temporary : cache, `w-${hex}`);
}

function cacheFolder(env: Readonly<Record<string, string | undefined>>): string | null {
  const named = env['XDG_CACHE_HOME'];
  if (named !== undefined && isAbsolute(named)) return named;
  const user = env['HOME'];
  return user !== undefined && isAbsolute(user) ? join(user, '.cache') : null;
}
