import { bash } from './bash.js';
import { edit } from './edit.js';
import { read } from './read.js';
import type { Tool } from './tool.js';
import { write } from './write.js';

/** The tools every agent works with (L-6), in the order it is told of them. */
export const TOOLS: readonly Tool[] = [read, write, edit, bash];

/** The same for an agent whose commands are contained: what that changes for them is said (I-13). */
export function containedTools({ network }: { readonly network: boolean }): readonly Tool[] {
  const limits = 'It can change only $PWD, $TMP and the folder of $OUTPUT, and what it leaves running ends with it.';
  const description = [bash.spec.description, limits, ...(network ? [] : ['There is no network.'])].join(' ');
  return [read, write, edit, { ...bash, spec: { ...bash.spec, description } }];
}
