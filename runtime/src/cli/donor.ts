import type { Command } from 'commander';
import { escapeControls } from '@gated-flow/text';
import { homePath } from '../plan/home.js';
import type { World } from '../run/call.js';
import type { DamagedDonor } from '../run/donor/donor.js';
import { documentText } from '../views/document.js';
import { donorDamageText } from '../views/donor-damage.js';
import type { Io } from './command.js';
import { clearLeft, DAMAGED } from './reading.js';

/** What dead runs left goes before one of them is taken up, also when it then cannot be. */
export async function clearFirst(command: Command, io: Io, { calm }: Pick<World, 'calm'>): Promise<void> {
  await clearLeft(homePath(io, command.opts<{ home?: string }>().home), calm, (text) => io.err(`${escapeControls(text)}\n`));
}

/** Tells what of an earlier run is not as its record says; nothing is made from it. Exit 5 (I-1). */
export async function refuseDamaged(
  donor: DamagedDonor,
  { words, io }: { readonly words: { readonly json?: boolean }; readonly io: Io },
): Promise<number> {
  const { redactor } = io;
  const { run, differences } = donor;
  if (words.json) await io.out(documentText({ kind: 'flow.damaged', version: 1, run, exit: DAMAGED, differences }, redactor));
  else io.err(escapeControls(redactor.text(donorDamageText(donor))));
  return DAMAGED;
}
