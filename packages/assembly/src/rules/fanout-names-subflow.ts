import { nearest } from '../nearest.js';
import { quoted } from '../read/reading.js';
import { flowsWithin, placesOf } from '../steps.js';
import type { Rule } from './rule.js';

/** The subflow that a FANOUT names is in the flow's own `subflows/` or the root's (G-6, G-7). */
export const fanoutNamesSubflow: Rule = (assembly, refuse) => {
  for (const { flow } of flowsWithin(assembly)) {
    const known = [...flow.subflows, ...assembly.subflows].map(({ name }) => name);
    for (const { step } of placesOf(flow)) {
      if (step.type !== 'FANOUT' || known.includes(step.subflow)) continue;
      const meant = nearest(step.subflow, known);
      const hint = meant === undefined ? '' : ` Did you mean ${quoted(meant)}?`;
      const list =
        known.length === 0
          ? 'There are none in scope; add one under subflows/ at the root or in the flow.'
          : `In scope are ${known.map(quoted).join(', ')}.`;
      refuse('flow-unknown', step.sentinel, `"subflow" names ${quoted(step.subflow)}, and there is no such subflow.${hint} ${list}`);
    }
  }
};
