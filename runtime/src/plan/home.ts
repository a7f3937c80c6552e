import { isAbsolute, resolve } from 'node:path';
import type { Environment } from '../models/discovery.js';

/** Where a command stands: its environment and its absolute directory. */
export interface Place {
  readonly env: Environment;
  readonly cwd: string;
}

/**
 * The absolute path of the home: the flag, else `$FLOW_HOME`, else `${XDG_DATA_HOME:-~/.local/share}/flow` (O-6).
 * Null when none of these says where, and for an empty flag:
 * a shell's unset variable must not become the real home. An `XDG_DATA_HOME` that is not absolute is ignored, as its specification asks.
 */
export function homePath({ env, cwd }: Place, flag?: string): string | null {
  if (flag === '') return null;
  const said = flag ?? env['FLOW_HOME'];
  if (said) return resolve(cwd, said);
  const data = env['XDG_DATA_HOME'];
  if (data && isAbsolute(data)) return resolve(data, 'flow');
  const user = env['HOME'];
  return user ? resolve(cwd, user, '.local/share/flow') : null;
}
