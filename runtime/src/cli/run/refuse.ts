import type { Refusal } from '@gated-flow/assembly';
import { type Redactor } from '@gated-flow/text';
import { documentText } from '../../views/document.js';
import type { Io } from '../command.js';
import { refusalText } from '../refusals.js';

interface Refusing {
  readonly words: { readonly json?: boolean };
  readonly io: Io;
  /** What was to run, as it was typed; absent when it was a run. */
  readonly target?: string;
  /** The document that would have been printed. */
  readonly kind?: 'flow.run' | 'flow.replay';
}

/** Tells why nothing was run: text on standard error, or the document on standard output. Exit 2. */
export async function refuse(refusals: readonly Refusal[], { words, io, target, kind = 'flow.run' }: Refusing): Promise<2> {
  const { redactor } = io;
  if (io.job !== undefined) await showInJob(refusals, { target, io, redactor });
  if (words.json) await io.out(documentText({ kind, version: 1, run: null, exit: 2, refusals }, redactor));
  else io.err(refusalText(refusals, { redactor, color: io.errColor, width: io.width }));
  return 2;
}

async function showInJob(
  refusals: readonly Refusal[],
  { target, io, redactor }: Pick<Refusing, 'io' | 'target'> & { readonly redactor: Redactor },
): Promise<void> {
  const { showChecked } = await import('../job.js');
  await showChecked({ ...(target === undefined ? { target: 'the run', root: null } : { target }), refusals, warnings: [] }, io, redactor);
}
