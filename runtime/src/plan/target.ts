import { resolve } from 'node:path';
import type { PreparePorts } from './prepare.js';
import { realPath } from './real-path.js';
import { commandInvalid, found, refused, type Resolved } from './refusal.js';

/**
 * The absolute path that a target names (O-1): with a `/` or a leading `.` it is a path; a bare word is a name under the
 * home's `assemblies/`, else a directory here, and is refused when it is both. Whether anything stands there is the reader's to say.
 */
export async function resolveTarget(target: string, home: string, ports: Pick<PreparePorts, 'cwd' | 'disk'>): Promise<Resolved<string>> {
  if (target === '')
    return refused(commandInvalid('assembly-unknown', 'The target is empty. Name an assembly: a folder, or a name under the home.'));
  const here = resolve(ports.cwd, target);
  if (target.includes('/') || target.startsWith('.')) return found(here);
  const named = resolve(home, 'assemblies', target);
  const [isNamed, isHere] = await Promise.all([realPath(named, ports.disk), realPath(here, ports.disk)]);
  if (isNamed !== null && isHere !== null) return refused(commandInvalid('request-invalid', ambiguous(target, named, here)));
  return found(isNamed === null ? here : named);
}

function ambiguous(target: string, named: string, here: string): string {
  return `"${target}" is both ${named} and ${here}. Say ./${target} for the folder here, or the whole path of the other.`;
}
