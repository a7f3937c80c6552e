/** Walks over the tree. Every walk is in execution order; what a loop repeats and what a choice offers is met once. */
import type { Assembly, Flow, Stage, Step } from './tree.js';

/** A step and the containers it stands in, outermost first. */
export interface PlacedStep {
  readonly step: Step;
  readonly within: readonly Step[];
}

/** Every step of a flow, containers before what they hold. */
export function placesOf(flow: Flow): readonly PlacedStep[] {
  return flow.steps.flatMap((step) => placesBelow(step, []));
}

/** Every stage of a flow. */
export function stagesOf(flow: Flow): readonly Stage[] {
  return placesOf(flow).flatMap(({ step }) => (step.type === 'STAGE' ? [step] : []));
}

/** The sequences directly inside a step: a loop's one, a branch's each. None for a stage and a FANOUT. */
export function sequencesIn(step: Step): readonly (readonly Step[])[] {
  switch (step.type) {
    case 'LOOP':
      return [step.steps];
    case 'CHOOSE':
      return step.alternatives.map(({ steps }) => steps);
    case 'PARALLEL':
      return step.branches.map(({ steps }) => steps);
    default:
      return [];
  }
}

/** A flow, and what kind of folder it stands in. */
export interface PlacedFlow {
  readonly flow: Flow;
  readonly place: 'named' | 'subflow';
}

/** The named flows and every subflow at any depth, each flow before its own subflows. */
export function flowsWithin(assembly: Pick<Assembly, 'flows' | 'subflows'>): readonly PlacedFlow[] {
  const named = assembly.flows.flatMap((flow) => [{ flow, place: 'named' as const }, ...subflowsBelow(flow)]);
  return [...named, ...assembly.subflows.flatMap(withSubflows)];
}

function withSubflows(flow: Flow): readonly PlacedFlow[] {
  return [{ flow, place: 'subflow' }, ...subflowsBelow(flow)];
}

function subflowsBelow(flow: Flow): readonly PlacedFlow[] {
  return [...flow.subflows, ...stagesOf(flow).flatMap(({ subflows }) => subflows)].flatMap(withSubflows);
}

function placesBelow(step: Step, within: readonly Step[]): readonly PlacedStep[] {
  const inside = [...within, step];
  return [{ step, within }, ...sequencesIn(step).flatMap((steps) => steps.flatMap((each) => placesBelow(each, inside)))];
}
