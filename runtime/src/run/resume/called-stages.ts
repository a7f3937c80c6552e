/** What the stages of child runs ran with: a step that called them is carried only when that is as it was (G-11). */
import { join } from 'node:path';
import { childFolder, createBriefly, type RunView, type Sourced } from '@gated-flow/record';
import { readRun } from '../../record/read-run.js';

export interface CalledStage {
  /** The stage of the outermost run on whose behalf it ran. */
  readonly caller: string;
  /** The name of its flow. */
  readonly flow: string;
  readonly stage: string;
  readonly options: Readonly<Record<string, Sourced>>;
}

/** Of all children of a proven run and of theirs, each different one once. Rejects with the system's error. */
export async function calledStages(folder: string, view: RunView): Promise<readonly CalledStage[]> {
  const found = new Map<string, CalledStage>();
  const walk = async (at: string, { subflows }: RunView, outermost: string | null): Promise<void> => {
    for (const call of subflows) {
      if (call.ending === null) continue;
      const child = join(at, childFolder(call));
      const caller = outermost ?? call.stage ?? '';
      const { view: called } = await readRun(child, createBriefly());
      if (called === null) continue;
      for (const { stage, options } of called.stages) {
        const one = { caller, flow: call.flow, stage, options };
        found.set(JSON.stringify(one), one);
      }
      await walk(child, called, caller);
    }
  };
  await walk(folder, view, null);
  return [...found.values()];
}
