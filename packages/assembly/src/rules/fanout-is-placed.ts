import type { Refuse } from '../read/reading.js';
import type { PlacedFlow } from '../steps.js';
import { flowsWithin, placesOf } from '../steps.js';
import type { Fanout } from '../tree.js';
import type { Rule } from './rule.js';

/** A FANOUT stands only in a named flow's own sequence (G-6). What has to stand around it is judged by other rules. */
export const fanoutIsPlaced: Rule = (assembly, refuse) => {
  for (const placed of flowsWithin(assembly)) {
    for (const { step, within } of placesOf(placed.flow)) {
      if (step.type !== 'FANOUT') continue;
      const outer = within.at(-1);
      if (outer)
        refuse('sentinel-unknown', step.sentinel, `A FANOUT cannot stand inside a ${outer.type}. Move it into the flow's own sequence.`);
      else judgeInFlow(placed, step, refuse);
    }
  }
};

function judgeInFlow({ flow, place }: PlacedFlow, fanout: Fanout, refuse: Refuse): void {
  if (place === 'subflow' || flow.type === 'DESCEND') {
    const called = flow.type === 'DESCEND' ? 'A flow that may call itself' : 'A subflow';
    refuse(
      'sentinel-unknown',
      fanout.sentinel,
      `${called} cannot have a FANOUT: its items would multiply with those of the caller. Move it into a flow under flows/.`,
    );
  }
}
