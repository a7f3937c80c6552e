import type { Refusal } from '@gated-flow/assembly';
import { createRedactor, secretValues } from '@gated-flow/text';
import { documentText } from '../../views/document.js';
import type { Io } from '../command.js';
import { refusalText } from '../refusals.js';

interface Refusing {
  readonly words: { readonly json?: boolean };
  readonly io: Io;
  /** The document that would have been printed. */
  readonly kind?: 'flow.run' | 'flow.replay';
}

/** Tells why nothing was run: text on standard error, or the document on standard output. Exit 2. */
export async function refuse(refusals: readonly Refusal[], { words, io, kind = 'flow.run' }: Refusing): Promise<2> {
  const redactor = createRedactor(secretValues(io.env, []));
  if (words.json) await io.out(documentText({ kind, version: 1, run: null, exit: 2, refusals }, redactor));
  else io.err(refusalText(refusals, { redactor, color: io.errColor, width: io.width }));
  return 2;
}
