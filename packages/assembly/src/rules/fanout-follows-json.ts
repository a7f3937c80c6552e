import { flowsWithin } from '../steps.js';
import type { Rule } from './rule.js';

/** Directly before a FANOUT stands a stage with a `schema.json` (G-6). */
export const fanoutFollowsJson: Rule = (assembly, refuse) => {
  for (const { flow } of flowsWithin(assembly)) {
    flow.steps.forEach((step, index) => {
      if (step.type !== 'FANOUT') return;
      const before = flow.steps[index - 1];
      if (before?.type === 'STAGE' && before.schema?.kind === 'json') return;
      const found = before === undefined ? 'nothing stands before it' : `${before.entry} does not write JSON`;
      refuse(
        'value-invalid',
        step.sentinel,
        `"items" names an array in the output of the stage directly before, and ${found}. Put a stage with a schema.json there.`,
      );
    });
  }
};
