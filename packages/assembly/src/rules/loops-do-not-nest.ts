import { flowsWithin, placesOf } from '../steps.js';
import type { Rule } from './rule.js';

/** No LOOP stands inside a LOOP, however deep (G-2). */
export const loopsDoNotNest: Rule = (assembly, refuse) => {
  for (const { flow } of flowsWithin(assembly)) {
    for (const { step, within } of placesOf(flow)) {
      const outer = within.find((container) => container.type === 'LOOP');
      if (step.type === 'LOOP' && outer) {
        refuse(
          'loop-nested',
          step.entry,
          `This LOOP stands inside the LOOP ${outer.entry}, so their repeats would multiply. Take one of the two away, or move the inner one into a subflow.`,
        );
      }
    }
  }
};
