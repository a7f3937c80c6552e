import { present } from '../plan/options/inheritable.js';
import { callResume } from '../run/resume/call.js';
import type { ResumePlan } from '../run/resume/plan.js';
import type { RunOutcome } from '../run/finish.js';
import type { NoDonor } from '../run/donor/donor.js';
import { type RunRequest, type RunSurroundings, worldOf } from './run.js';

/** What `flow resume` takes (G-11). Options are for the stages that run; whatever is not said is as it was in the run. */
export interface ResumeRequest extends Omit<RunRequest, 'target' | 'request'> {
  /** A run's name, the beginning of one, `latest`, or the path of its folder. */
  readonly run: string;
  /** Where the assembly is now, when it was moved. */
  readonly assembly?: string;
  /** The plan is all that is wanted: nothing runs. */
  readonly planOnly?: boolean;
}

/** What was carried and what ran; `outcome` is null when only the plan was wanted. Else why nothing was: refused, or damaged evidence. */
export type ResumeResult = { readonly ok: true; readonly plan: ResumePlan; readonly outcome: RunOutcome | null } | NoDonor;

/** Begins a new run behind the settled, unchanged stages of one that failed or died, and resolves when it has ended. Nothing of the earlier run is changed. */
export async function resume(request: ResumeRequest, surroundings: RunSurroundings): Promise<ResumeResult> {
  const { run, slots = {}, options = {}, models = { kind: 'provider' }, wishes = {}, planOnly = false, deadline, maxCost } = request;
  const { onFact, approve } = surroundings;
  const resumed = await callResume(
    {
      ...{ run, models, wishes, planOnly },
      words: {
        slots: Object.entries(slots).map(([name, path]) => ({ name, path })),
        optionNames: [],
        options,
        ...present({ assembly: request.assembly, home: request.home, in: request.in }),
        ...present({ deadline: deadline?.toString(), maxCost: maxCost?.toString(), governance: request.governance }),
      },
      watch: () => present({ onFact, approve }),
    },
    worldOf(surroundings),
  );
  return resumed.ok ? { ok: true, plan: resumed.plan, outcome: resumed.called?.outcome ?? null } : resumed;
}
