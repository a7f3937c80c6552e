import type { Keys } from './keys.js';
import { quoted } from './reading.js';
import { mapping, oneLine } from './values.js';

/** The declared slots: name as written → one line. Whether a name is free is judged with the whole tree. */
export function readSlots(keys: Keys): Readonly<Record<string, string>> {
  const written = keys.take('slots', { ...mapping, takes: 'a map of slot names to one-line descriptions' }) ?? {};
  const slots: [string, string][] = [];
  for (const [name, value] of Object.entries(written)) {
    const description = oneLine.accept(value);
    if (description === undefined) keys.refuseValue('slots', `${quoted(name)} takes one line of text that says what to supply.`);
    slots.push([name, description ?? '']);
  }
  return Object.fromEntries(slots);
}
