import { type Flow, type Step, sequencesIn } from '@gated-flow/assembly';
import { type Arrival, departure, loopArrival, requestArrival, type SubflowScope } from './arrival.js';

/** What a step of a flow receives in a whole run, wherever it stands (S-3, G-3). A request may come under any extension. */
export function arrivalAt(flow: Flow, path: string, scope: SubflowScope): Arrival {
  const within = (steps: readonly Step[], outside: Arrival): Arrival | null => {
    let arrival = outside;
    for (const step of steps) {
      if (step.path === path) return arrival;
      const inside = step.type === 'LOOP' ? loopArrival(arrival, step, scope) : arrival;
      for (const sequence of sequencesIn(step)) {
        const found = within(sequence, inside);
        if (found !== null) return found;
      }
      arrival = departure(step, scope);
    }
    return null;
  };
  return within(flow.steps, requestArrival('.*')) ?? requestArrival('.*');
}
