import { createHash } from 'node:crypto';
import { compareBytes } from '@gated-flow/text';
import { ASSEMBLY_COPY } from '../layout.js';
import type { FileFacts } from './file-table.js';
import type { Tree } from './tree.js';

const PREFIX = `${ASSEMBLY_COPY}/`;

/** The hash of the assembly copy as it lies in the run's folder; dot-entries are not hashed. */
export function hashAssemblyCopy(tree: Pick<Tree, 'paths' | 'file'>): string {
  const lines: { path: string; line: string }[] = [];
  for (const [path, { sha256, executable }] of assemblyCopy(tree)) {
    if (path.split('/').some((part) => part.startsWith('.'))) continue;
    lines.push({ path, line: `${path}:${sha256}${executable ? ':x' : ''}\n` });
  }
  lines.sort((a, b) => compareBytes(a.path, b.path));
  const sum = createHash('sha256');
  for (const { line } of lines) sum.update(line);
  return sum.digest('hex');
}

/** The files of the copy, by their paths in it. */
export function* assemblyCopy(tree: Pick<Tree, 'paths' | 'file'>): Generator<readonly [string, FileFacts]> {
  for (const path of tree.paths()) {
    const file = path.startsWith(PREFIX) ? tree.file(path) : undefined;
    if (file !== undefined) yield [path.slice(PREFIX.length), file];
  }
}
