import { quoted } from '../read/reading.js';
import { reservedSlot } from '../slots.js';
import type { Rule } from './rule.js';

/** A declared slot becomes a variable, so its name has to be one and has to be free. */
export const slotsAreFree: Rule = ({ slots, sentinel }, refuse) => {
  const seen = new Map<string, string>();
  for (const name of Object.keys(slots)) {
    const variable = name.toUpperCase();
    const fault = nameFault(name, variable, seen.get(variable));
    if (fault !== null) refuse('slot-reserved', sentinel ?? '.', `The slot ${quoted(name)} cannot have that name: ${fault}. Rename it.`);
    seen.set(variable, name);
  }
};

function nameFault(name: string, variable: string, earlier: string | undefined): string | null {
  if (!/^[A-Za-z_][A-Za-z0-9_]*$/u.test(name)) return 'a name has letters, digits and underscores, and begins with no digit';
  if (earlier !== undefined) return `${quoted(earlier)} is there already, and both would be the variable ${variable}`;
  return reservedSlot(variable);
}
