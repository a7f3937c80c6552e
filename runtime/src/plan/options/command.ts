import type { Inheritable } from '@gated-flow/assembly';
import type { OptionWords } from '../invocation.js';
import { commandInvalid, found, refused, type Resolved } from '../refusal.js';
import { readInheritable } from './inheritable.js';

/** The command's rung: typed text becomes numbers where numbers are meant (O-4). */
export function readCommandOptions(words: OptionWords): Resolved<Inheritable> {
  const data: Record<string, unknown> = {};
  if (words.intelligence !== undefined) data['intelligence'] = words.intelligence;
  if (words.timeout !== undefined) data['timeout'] = wholeNumber(words.timeout);
  if (words.retries !== undefined) data['retries'] = wholeNumber(words.retries);
  if (words.localContext !== undefined) data['local-context'] = words.localContext;
  const { value, faults } = readInheritable(data);
  return faults.length === 0 ? found(value) : refused(...faults.map(({ message }) => commandInvalid('value-invalid', `--${message}`)));
}

/** Digits become a number; anything else stays the text it is, and is refused as such. */
function wholeNumber(text: string): number | string {
  return /^[0-9]{1,15}$/.test(text) ? Number(text) : text;
}
