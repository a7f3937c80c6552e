import { hasControl } from '../read/names.js';
import { quoted } from '../read/reading.js';
import { nameOf } from '../snapshot.js';
import type { Rule } from './rule.js';

/** No name holds a control character: one could forge a line of the hash's list, or a message. */
export const namesArePrintable: Rule = ({ snapshot }, refuse) => {
  for (const { path, kind } of snapshot.entries.values()) {
    const name = nameOf(path);
    if ((kind === 'file' || kind === 'folder') && hasControl(name)) {
      refuse('value-invalid', path, `The name ${quoted(name)} holds a control character. Rename it.`);
    }
  }
};
