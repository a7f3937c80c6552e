import type { Fanout, Flow, Loop, Stage, Step } from '@gated-flow/assembly';
import { compareBytes } from '@gated-flow/text';

/** One file that arrives: its name without extension, and the extensions it may have. */
export interface Source {
  readonly stem: string;
  readonly extensions: readonly string[];
}

/** The ways in which files may arrive; each is the set that arrives together (S-3). */
export type Arrival = readonly (readonly Source[])[];

/** The subflows a FANOUT's name is looked up among. */
export interface SubflowScope {
  find(name: string): Flow | undefined;
}

/** What the first stage of a run receives (O-3). */
export function requestArrival(extension: string): Arrival {
  return [[{ stem: 'request', extensions: [extension] }]];
}

/** What stands before the next step once this one is done: never something buried inside it (S-3, G-1). */
export function departure(step: Step, scope: SubflowScope): Arrival {
  switch (step.type) {
    case 'STAGE':
      return [[{ stem: step.name, extensions: [extensionOf(step)] }]];
    case 'LOOP':
      return [[{ stem: step.name, extensions: endings(step.steps) }]];
    case 'CHOOSE':
      return step.alternatives.map((way) => [{ stem: way.name, extensions: endings(way.steps) }]);
    case 'PARALLEL':
      return [step.branches.map((branch) => ({ stem: branch.name, extensions: endings(branch.steps) }))];
    case 'FANOUT':
      return [[{ stem: '<id>', extensions: fanoutEndings(step, scope) }]];
  }
}

/** What the first step inside a loop receives: the loop's own input, from the second repeat on beside the last step's output (G-3). */
export function loopArrival(outside: Arrival, loop: Pick<Loop, 'repeat' | 'steps'>, scope: SubflowScope): Arrival {
  const last = loop.steps.at(-1);
  if (last === undefined || loop.repeat < 2) return outside;
  const again = departure(last, scope);
  return [...outside, ...outside.flatMap((way) => again.map((left) => [...way, ...left]))];
}

/** Every file name that may arrive, in name order (G-10). */
export function namesOf(arrival: Arrival): readonly string[] {
  const names = arrival.flat().flatMap(({ stem, extensions }) => extensions.map((extension) => `${stem}${extension}`));
  return names.length < 2 ? names : [...new Set(names)].sort(compareBytes);
}

/** `.json`, `.md` or `.txt`, by the schema (S-4). */
export function extensionOf(stage: Stage): string {
  return stage.schema === undefined ? '.txt' : `.${stage.schema.kind}`;
}

/** The extensions that the last step of a sequence may leave. */
function endings(steps: readonly Step[]): readonly string[] {
  const last = steps.at(-1);
  if (last === undefined) return [];
  switch (last.type) {
    case 'STAGE':
      return [extensionOf(last)];
    case 'LOOP':
      return endings(last.steps);
    case 'CHOOSE':
      return [...new Set(last.alternatives.flatMap((way) => endings(way.steps)))];
    case 'PARALLEL':
    case 'FANOUT':
      return [];
  }
}

function fanoutEndings(step: Fanout, scope: SubflowScope): readonly string[] {
  const subflow = scope.find(step.subflow);
  return subflow === undefined ? ['.txt'] : endings(subflow.steps);
}
