import type { Standing } from '../ports/disk.js';
import type { Check } from './check.js';
import { written } from './written.js';

/** The seed's sentence, word for word. */
const MISSING = 'Nothing was written to $OUTPUT.';

/** Is there a regular file at all? An empty one is for the other checks to judge (K-3). */
export const outputCheck: Check = {
  name: 'output',
  async run(round) {
    const { ports, output } = round.scope;
    const began = ports.clock.elapsed();
    const standing = await ports.disk.look(output);
    if (standing?.kind === 'file') return written(round, 'output', { capture: 'output.txt', text: null, began });
    return written(round, 'output', { capture: 'output-missing.txt', text: missing(standing), began });
  },
};

function missing(standing: Standing | null): string {
  if (standing === null) return MISSING;
  const found = { file: 'a file', folder: 'a folder', link: 'a symbolic link', other: 'something that is no regular file' }[standing.kind];
  return `${MISSING} There is ${found} in its place; it must be a regular file.`;
}
