import { createHash } from 'node:crypto';
import { compareBytes } from '@gated-flow/text';
import type { TreeFile } from '../disk.js';
import { ASSEMBLY_COPY } from '../layout.js';

const PREFIX = `${ASSEMBLY_COPY}/`;

/** The hash of the assembly copy as it lies in the run's folder; dot-entries are not hashed. */
export function hashAssemblyCopy(files: Iterable<TreeFile>): string {
  const lines: { path: string; line: string }[] = [];
  for (const file of files) {
    if (!file.path.startsWith(PREFIX)) continue;
    const path = file.path.slice(PREFIX.length);
    if (path.split('/').some((part) => part.startsWith('.'))) continue;
    lines.push({ path, line: `${path}:${file.sha256}${file.executable ? ':x' : ''}\n` });
  }
  lines.sort((a, b) => compareBytes(a.path, b.path));
  const sum = createHash('sha256');
  for (const { line } of lines) sum.update(line);
  return sum.digest('hex');
}
