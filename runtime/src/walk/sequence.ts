/** Walks the tree that is the graph. A stage is known here only as something that is given files and ends (G-1). */
import type { Stage, Step } from '@gated-flow/assembly';
import type { Ending } from '../stage/decide.js';
import type { Given } from '../stage/scope.js';

/** Runs one stage to its end; rejects only when its end could not be recorded. */
export type RunStage = (stage: Stage, given: readonly Given[]) => Promise<Walked>;

export interface Walked {
  readonly ending: Ending;
  /** The path of the stage that ended it. */
  readonly stage: string;
  /** What the next one is given; null unless the ending is success. */
  readonly output: Given | null;
}

/** Runs the steps in order, each on what the one directly before it left, until one does not succeed. */
export async function walkSequence(steps: readonly Step[], given: readonly Given[], runStage: RunStage): Promise<Walked> {
  let walked: Walked | null = null;
  for (const step of steps) {
    walked = await runStage(plainStage(step), walked?.output ? [walked.output] : given);
    if (walked.output === null) return walked;
  }
  if (walked === null) throw new Error('a sequence has at least one step');
  return walked;
}

/** Containers are refused before a run is born (see run/refuse.ts). */
function plainStage(step: Step): Stage {
  if (step.type !== 'STAGE') throw new Error(`${step.path} is a ${step.type}, which this walk does not know`);
  return step;
}
