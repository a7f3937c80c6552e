import { isAbsolute, relative } from 'node:path';

interface Fixable {
  readonly path: string;
  readonly fix?: string;
}

/** The same findings with fixes that work from the caller's directory: a fix that names the found entry says where it is from here. */
export function fixedFromHere<T extends Fixable>(findings: readonly T[], root: string, cwd: string): readonly T[] {
  const prefix = pathFromHere(root, cwd);
  return findings.map((finding) => {
    const { path, fix } = finding;
    if (fix === undefined || path === '.' || !fix.includes(path)) return finding;
    return { ...finding, fix: isPlain(prefix) ? fix.replaceAll(path, `${prefix}/${path}`) : `cd ${shellWord(root)} && ${fix}` };
  });
}

/** A word as a shell reads it back. */
export function shellWord(text: string): string {
  return isPlain(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

/** A path as a command line in `cwd` names it: always with a `/` or a dot, so that it is never taken for a name (O-1). */
export function pathFromHere(root: string, cwd: string): string {
  const path = relative(cwd, root);
  if (path === '') return '.';
  return path.startsWith('..') || isAbsolute(path) ? path : `./${path}`;
}

function isPlain(text: string): boolean {
  return /^[A-Za-z0-9_./@%+=:,-]+$/.test(text);
}
