import { nearest } from '../nearest.js';
import { quoted } from '../read/reading.js';
import { RUNTIME_SLOTS } from '../slots.js';
import { flowsWithin, stagesOf } from '../steps.js';
import type { Rule } from './rule.js';

/** The slots that `access` lists exist (A-16). */
export const accessNamesSlots: Rule = (assembly, refuse) => {
  const slots = [...RUNTIME_SLOTS, ...Object.keys(assembly.slots).map((name) => name.toUpperCase())];
  for (const { flow } of flowsWithin(assembly)) {
    for (const { access, sentinel } of stagesOf(flow)) {
      const named = new Set([...(access?.read ?? []), ...(access?.write ?? []), ...(access?.edit ?? [])]);
      for (const slot of named) {
        if (slots.includes(slot)) continue;
        const meant = nearest(slot, slots);
        refuse(
          'value-invalid',
          sentinel,
          `"access" lists ${quoted(slot)}, and no slot has that name.${meant === undefined ? '' : ` Did you mean ${meant}?`} The slots are ${slots.join(', ')}.`,
        );
      }
    }
  }
};
