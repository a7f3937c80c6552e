import type { Stage } from '../tree.js';
import type { Spot } from './spot.js';

/** A stage that says nothing. It stands in for a step that was refused, so that its neighbours can still be judged. */
export function emptyStage(spot: Spot, sentinel: string): Stage {
  return {
    type: 'STAGE',
    name: spot.name,
    path: spot.path,
    entry: spot.entry,
    sentinel,
    options: {},
    skills: [],
    body: '',
    checklist: [],
    gates: [],
    hooks: {},
    subflows: [],
  };
}
