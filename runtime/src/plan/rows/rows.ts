import {
  placesOf,
  sequencesIn,
  type Assembly,
  type Flow,
  type Inheritable,
  type Refusal,
  type Skill,
  type Stage,
  type Step,
} from '@gated-flow/assembly';
import type { RungOptions } from '../options/ladder.js';
import type { OptionResolver } from '../options/resolve.js';
import type { PlanRow } from '../plan.js';
import { departure, extensionOf, loopArrival, namesOf, requestArrival, type Arrival, type SubflowScope } from './arrival.js';
import { filesOf } from './files.js';
import { withSkills } from './skills.js';

/** What is the same for every row of a run. */
export interface RowWorld {
  readonly assembly: Assembly;
  readonly resolver: OptionResolver;
  /** Command and task, nearest first. */
  readonly above: readonly RungOptions[];
  readonly home: Inheritable;
  /** The request's extension, with its dot. */
  readonly extension: string;
}

/** A row, and why a run could not use its model. */
export interface JudgedRow {
  readonly row: PlanRow;
  readonly fault: Refusal | null;
}

/** Where a sequence stands: what arrives, and what is said and offered around it. */
interface Surroundings {
  readonly arrival: Arrival;
  /** Containers innermost first, then flow, assembly, home. */
  readonly below: readonly RungOptions[];
  readonly skills: readonly Skill[];
}

/** The rows of a flow in execution order; of one stage alone, when `focus` is its path (A-2, G-10). */
export function flowRows(flow: Flow, focus: string | undefined, world: RowWorld): readonly JudgedRow[] {
  const scope = subflowScope(flow, world.assembly);
  const outside: Surroundings = {
    arrival: requestArrival(world.extension),
    below: [
      { from: 'flow', options: flow.options },
      { from: 'assembly', options: world.assembly.options },
      { from: 'home', options: world.home },
    ],
    skills: withSkills(withSkills([], world.assembly.skills), flow.skills),
  };
  const rows: JudgedRow[] = [];

  const addSequence = (steps: readonly Step[], around: Surroundings): void => {
    let { arrival } = around;
    for (const step of steps) {
      addStep(step, { ...around, arrival });
      arrival = departure(step, scope);
    }
  };
  const addStep = (step: Step, around: Surroundings): void => {
    const inside = within(step, around);
    rows.push(rowOf(step, inside, world));
    const arrival = step.type === 'LOOP' ? loopArrival(around.arrival, step, scope) : around.arrival;
    for (const steps of sequencesIn(step)) addSequence(steps, { ...inside, arrival });
  };

  const place = focus === undefined ? undefined : placesOf(flow).find(({ step }) => step.path === focus);
  if (place === undefined) addSequence(flow.steps, outside);
  else
    addStep(
      place.step,
      place.within.reduce((around, container) => within(container, around), outside),
    );
  return rows;
}

/** The row of the agent that chooses among flows (O-2). */
export function assemblyRow({ assembly, resolver, above, home, extension }: RowWorld): JudgedRow {
  const { options, model } = resolver.resolve([...above, { from: 'assembly', options: assembly.options }, { from: 'home', options: home }]);
  const row: PlanRow = {
    step: null,
    stage: 'assembly',
    type: 'ASSEMBLY',
    options,
    intelligence: model.row,
    input: namesOf(requestArrival(extension)),
    output: 'assembly.txt',
    skills: withSkills([], assembly.skills),
    files: assembly.sentinel === null ? [] : [assembly.sentinel],
  };
  return { row, fault: model.fault };
}

function within(step: Step, around: Surroundings): Surroundings {
  const rung: RungOptions = { from: step.type === 'STAGE' ? 'stage' : 'container', options: step.options };
  return { arrival: around.arrival, below: [rung, ...around.below], skills: withSkills(around.skills, step.skills) };
}

function rowOf(step: Step, { arrival, below, skills }: Surroundings, world: RowWorld): JudgedRow {
  const { options, model } = world.resolver.resolve([...world.above, ...below]);
  const isStage = step.type === 'STAGE';
  const row: PlanRow = {
    step,
    stage: step.path,
    type: step.type,
    options,
    intelligence: model.row,
    input: isStage ? namesOf(arrival) : [],
    output: isStage ? outputOf(step) : null,
    skills,
    files: filesOf(step),
  };
  return { row, fault: hasAgent(step) ? model.fault : null };
}

function hasAgent(step: Step): boolean {
  return step.type === 'STAGE' || step.type === 'CHOOSE';
}

function outputOf(stage: Stage): string {
  return `${stage.name}${extensionOf(stage)}`;
}

function subflowScope(flow: Flow, assembly: Assembly): SubflowScope {
  return { find: (name) => [...flow.subflows, ...assembly.subflows].find((subflow) => subflow.name === name) };
}
