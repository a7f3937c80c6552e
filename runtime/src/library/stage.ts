import { callStage } from '../given/call.js';
import { present } from '../plan/options/inheritable.js';
import type { NoDonor } from '../run/donor/donor.js';
import { type RunRequest, type RunResult, type RunSurroundings, worldOf } from './run.js';

/** What `flow stage` takes. */
export interface StageRequest extends Omit<RunRequest, 'request'> {
  /** A folder with what the stage is given; else what it was given in the run `from`, else its `.fixtures/input/`. */
  readonly input?: string;
  /** A run's name, the beginning of one, `latest`, or the path of its folder. */
  readonly from?: string;
  /** Where in that run, when the stage ran in several places. */
  readonly at?: string;
}

/** Runs one stage alone, and leaves a record like any run. */
export async function stage(request: StageRequest, surroundings: RunSurroundings): Promise<RunResult | NoDonor> {
  const { target, slots = {}, options = {}, models = { kind: 'provider' }, wishes = {}, deadline, maxCost } = request;
  const { onFact } = surroundings;
  const called = await callStage(
    {
      ...{ target, models, wishes },
      words: {
        slots: Object.entries(slots).map(([name, path]) => ({ name, path })),
        optionNames: [],
        options,
        ...present({ home: request.home, in: request.in, deadline: deadline?.toString(), maxCost: maxCost?.toString() }),
      },
      ...present({ input: request.input, from: request.from, at: request.at }),
      watch: () => (onFact === undefined ? {} : { onFact }),
    },
    worldOf(surroundings),
  );
  return called.ok ? { ok: true, outcome: called.outcome } : called;
}
