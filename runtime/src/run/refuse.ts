import type { Refusal, Step } from '@gated-flow/assembly';
import type { Plan } from '../plan/plan.js';

/** What is read and checked, but not run by this version; told before the run is born. */
export function notRunYet({ flow }: Plan): readonly Refusal[] {
  if (flow === null) {
    return [
      {
        code: 'request-invalid',
        path: 'command',
        message: 'The assembly has several flows, and this version does not choose among them. Name one: flow run ./ASSEMBLY/flows/NAME.',
      },
    ];
  }
  const containers = flow.steps.filter((step) => step.type !== 'STAGE').map(containerRefusal);
  return containers;
}

function containerRefusal({ type, entry }: Step): Refusal {
  return {
    code: 'request-invalid',
    path: entry,
    message: `It is a ${type}. This version reads and checks containers and does not run them; a flow of plain stages runs.`,
  };
}
