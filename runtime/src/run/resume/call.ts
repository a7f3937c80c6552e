/** A resumed run from its words to its outcome (G-11). */
import { resolve } from 'node:path';
import type { Refusal } from '@gated-flow/assembly';
import { type ModelSource, RECORD, type Sandboxed } from '@gated-flow/record';
import type { ModelWords } from '../../models/choose.js';
import { homePath } from '../../plan/home.js';
import type { Prepared } from '../../plan/prepare.js';
import { type SandboxWords, sandboxWords } from '../../sandbox/wish.js';
import { type Called, performCall, prepareCall, type Watchers, type World } from '../call.js';
import { askAgain, type NewWords } from '../donor/ask-again.js';
import type { DamagedDonor } from '../donor/donor.js';
import { damaged } from '../donor/open-donor.js';
import { openOriginal } from '../donor/open-original.js';
import { refuseGone } from '../donor/refuse-gone.js';
import { type WorkingTree, workingTree } from '../donor/working-tree.js';
import type { RunWishes } from '../wishes.js';
import { calledStages } from './called-stages.js';
import { planResume, type ResumePlan } from './plan.js';
import { refuseDonor } from './refuse.js';

export interface ResumeCall<W extends Watchers = Watchers> {
  /** A run's name, the beginning of one, `latest`, or the path of its folder. */
  readonly run: string;
  readonly words: NewWords;
  readonly models: ModelWords;
  readonly wishes: RunWishes;
  /** The plan is all that is wanted: nothing runs. */
  readonly planOnly: boolean;
  /** Told what is carried and what runs, before anything does. */
  planned?(plan: ResumePlan): void;
  watch?(prepared: Prepared, source: ModelSource): Promise<W> | W;
}

export type Resumed<W extends Watchers = Watchers> =
  | {
      readonly ok: true;
      readonly plan: ResumePlan;
      /** Null when only the plan was wanted. */ readonly called: Extract<Called<W>, { ok: true }> | null;
    }
  | { readonly ok: false; readonly refusals: readonly Refusal[] }
  | { readonly ok: false; readonly damaged: DamagedDonor };

/** Rejects with a DiskError, or the system's error, only when the donor could not be read or no run could be born. */
export async function callResume<W extends Watchers>(call: ResumeCall<W>, world: World): Promise<Resumed<W>> {
  const { cwd, calm } = world;
  const words = call.words.assembly === undefined ? call.words : { ...call.words, assembly: resolve(cwd, call.words.assembly) };
  const opened = await openOriginal(call.run, { home: homePath({ env: calm.env, cwd }, words.home), cwd, ...calm });
  if (!opened.ok) return opened;
  const { donor } = opened;
  const tree: WorkingTree = words.in === undefined ? await workingTree(donor, calm.disk) : { in: words.in };
  const refused = refuseDonor(donor, call.models) ?? (await refuseGone(donor, { ...words, in: tree.in }, calm.disk));
  if (refused !== null) return refused;

  const prepared = await prepareCall({ ...askAgain(donor, { ...words, in: tree.in }), purpose: 'run', models: call.models.kind }, world);
  if (!prepared.ok) return prepared;
  const planned = planResume(donor, await calledStages(donor.folder, donor.view), prepared, words);
  if (!planned.ok) {
    const message = `contradicts itself about ${planned.step}: ${planned.why}`;
    return damaged({ name: donor.name, word: donor.word }, [{ path: RECORD, rule: 'R-4', message }]);
  }
  const { plan } = planned;
  call.planned?.(plan);
  if (call.planOnly) return { ok: true, plan, called: null };
  const wishes = { ...call.wishes, ...isolateAgain(tree, call.wishes), ...containAgain(donor.view.sandbox, call.wishes) };
  const called = await performCall(prepared, { ...call, wishes, continuing: { continuedFrom: donor.name, carried: plan.carried } }, world);
  return called.ok ? { ok: true, plan, called } : called;
}

function isolateAgain({ isolate }: WorkingTree, said: RunWishes): Pick<RunWishes, 'isolate'> {
  return isolate === undefined || said.isolate !== undefined ? {} : { isolate };
}

/** A sandbox stays until another one, or none, is said. */
function containAgain(earlier: Sandboxed | undefined, said: RunWishes): SandboxWords {
  return said.sandbox === undefined ? sandboxWords(earlier) : {};
}
