import { createRedactor, escapeControls, secretValues } from '@gated-flow/text';
import type { DamagedDonor } from '../run/donor/donor.js';
import { documentText } from '../views/document.js';
import { donorDamageText } from '../views/donor-damage.js';
import type { Io } from './command.js';
import { DAMAGED } from './reading.js';

/** Tells what of an earlier run is not as its record says; nothing is made from it. Exit 5 (I-1). */
export async function refuseDamaged(
  donor: DamagedDonor,
  { words, io }: { readonly words: { readonly json?: boolean }; readonly io: Io },
): Promise<number> {
  const redactor = createRedactor(secretValues(io.env, []));
  const { run, differences } = donor;
  if (words.json) await io.out(documentText({ kind: 'flow.damaged', version: 1, run, exit: DAMAGED, differences }, redactor));
  else io.err(escapeControls(redactor.text(donorDamageText(donor))));
  return DAMAGED;
}
