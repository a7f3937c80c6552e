import { sequencesIn, type Flow, type Stage, type Step } from '@gated-flow/assembly';

/** All that some flows hold, the subflows that they or their stages may call included. */
export interface Reach {
  readonly flows: readonly Flow[];
  readonly steps: readonly Step[];
  readonly stages: readonly Stage[];
}

export function reachOf(roots: readonly Flow[]): Reach {
  const flows: Flow[] = [];
  const steps: Step[] = [];
  const addFlow = (flow: Flow): void => {
    flows.push(flow);
    flow.steps.forEach(addStep);
    flow.subflows.forEach(addFlow);
  };
  const addStep = (step: Step): void => {
    steps.push(step);
    sequencesIn(step).flat().forEach(addStep);
    if (step.type === 'STAGE') step.subflows.forEach(addFlow);
  };
  roots.forEach(addFlow);
  return { flows, steps, stages: steps.filter((step) => step.type === 'STAGE') };
}
