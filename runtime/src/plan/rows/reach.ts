import type { Flow, Stage, Step } from '@gated-flow/assembly';

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
    innerSteps(step).forEach(addStep);
    if (step.type === 'STAGE') step.subflows.forEach(addFlow);
  };
  roots.forEach(addFlow);
  return { flows, steps, stages: steps.filter((step) => step.type === 'STAGE') };
}

/** The steps directly inside a container, branch after branch; none for a stage. */
export function innerSteps(step: Step): readonly Step[] {
  switch (step.type) {
    case 'LOOP':
      return step.steps;
    case 'CHOOSE':
      return step.alternatives.flatMap((branch) => branch.steps);
    case 'PARALLEL':
      return step.branches.flatMap((branch) => branch.steps);
    case 'STAGE':
    case 'FANOUT':
      return [];
  }
}
