import { counted } from '@gated-flow/text';
import type { DamagedDonor } from '../run/donor/donor.js';
import { nextCommands } from './next-commands.js';
import { differenceText } from './verdict-text.js';

const SHOWN = 5;

/** Why nothing is made from an earlier run. Neither redacted nor escaped yet. */
export function donorDamageText({ run, word, differences }: DamagedDonor): string {
  const more = differences.length > SHOWN ? `  and ${counted(differences.length - SHOWN, 'more difference')}\n` : '';
  const shown = differences.slice(0, SHOWN).map(differenceText).join('');
  return `${run} is damaged or was altered: nothing was made from it.\n${shown}${more}${nextCommands([[`flow verify ${word}`, 'every difference']])}`;
}
