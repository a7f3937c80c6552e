/** What a stage does about the work of an earlier run: looks for it, drops it, and leaves its own for a later one (G-12). */
import type { SealedFile } from '@gated-flow/record';
import { DiskError } from '../../ports/disk.js';
import { keepCandidate } from '../candidate.js';
import type { Ending, StageFact } from '../decide.js';
import type { Progress } from '../progress.js';
import type { StageScope } from '../scope.js';
import { gatherShape, treesOf } from './gather.js';
import type { Reuse } from './reuse.js';
import type { Tree } from './shape.js';

interface Looking {
  readonly scope: StageScope;
  readonly progress: Progress;
}

/** How the stage ended. */
interface Settled {
  readonly ending: Ending;
  readonly output: SealedFile | null;
}

const NOTHING: StageFact = { fact: 'nothing-earlier' };

/** The trees before anything of the stage runs: a `before` that changes them counts as the stage itself. */
export async function noteTrees(scope: StageScope): Promise<readonly Tree[] | null> {
  if (scope.reuse === null || !('before' in scope.stage.hooks)) return null;
  const trees = await treesOf(scope, scope.reuse);
  return trees.taken ? trees.trees : null;
}

/** Puts an earlier run's output and marks in place, where there are any for this very work. Nothing that goes wrong here fails the stage. */
export async function lookForEarlier({ scope, progress }: Looking): Promise<StageFact> {
  const why = await quietly(scope, (reuse) => place({ scope, progress }, reuse));
  if (why === null) return { fact: 'found-earlier' };
  scope.watch({ activity: 'not-reused', stage: scope.where.stage, why });
  if (progress.earlier !== null) await takeAway({ scope, progress });
  return NOTHING;
}

/** Takes it away again, so that the agent begins as if nothing had been. What was judged stays in the record's folder. Rejects with a DiskError. */
export async function dropEarlier({ scope, progress }: Looking): Promise<StageFact> {
  await keepCandidate(scope, 0);
  await takeAway({ scope, progress });
  await quietly(scope, async (reuse) => {
    if (progress.shaped !== null) await reuse.forget(progress.shaped.shape);
    return shape({ scope, progress }, reuse);
  });
  return NOTHING;
}

/**
 * Notes what the stage's own agent made, unless the stage changed a tree that counts: then a later run has to do it again. Earlier work
 * that today's `success` refuses is not offered to it any more.
 */
export async function leaveForLater({ scope, progress }: Looking, { ending, output }: Settled): Promise<void> {
  const { shaped, entered, earlier, session } = progress;
  if (scope.reuse === null || shaped === null) return;
  if (earlier !== null && ending.failed === 'success') await quietly(scope, (reuse) => reuse.forget(shaped.shape).then(() => null));
  if (output === null || session === null) return;
  const why = await quietly(scope, async (reuse) => {
    // What they did stands in this run's record alone, and would be missing from another's.
    if (progress.children > 0) return 'its agent called helpers: a later run will have to do it again';
    const left = await treesOf(scope, reuse);
    if (!left.taken) return left.why;
    if (!same(left.trees, shaped.trees) || (entered !== null && !same(entered, shaped.trees)))
      return 'the working tree changed while it ran: a later run will have to do it again';
    await reuse.remember(shaped.shape, { ...scope.where, sha256: output.sha256 });
    return null;
  });
  if (why !== null) scope.watch({ activity: 'not-reused', stage: scope.where.stage, why });
}

async function place({ scope, progress }: Looking, reuse: Reuse): Promise<string | null> {
  const why = await shape({ scope, progress }, reuse);
  if (why !== null || progress.shaped === null) return why;
  const found = await reuse.find(progress.shaped.shape);
  if (found.found === 'none') return found.why;
  progress.earlier = found.earlier;
  const { run, file, sha256, marks } = found.earlier;
  const copied = await scope.ports.disk.copy(file, scope.output);
  if (copied.sha256 !== sha256) {
    await reuse.forget(progress.shaped.shape);
    return `the output that ${run} sealed is not what it was`;
  }
  for (const [item, mark] of marks) progress.marks.set(item, mark);
  return null;
}

async function shape({ scope, progress }: Looking, reuse: Reuse): Promise<string | null> {
  const gathered = await gatherShape(scope, progress, reuse);
  progress.shaped = gathered.shaped ? gathered : null;
  return gathered.shaped ? null : gathered.why;
}

async function takeAway({ scope, progress }: Looking): Promise<void> {
  await scope.ports.disk.remove(scope.output);
  progress.marks.clear();
  progress.earlier = null;
  progress.judged = null;
  progress.beyondOutput = false;
}

/** Half a sentence when it did not come to an end, or came to one that is a reason. */
async function quietly(scope: StageScope, act: (reuse: Reuse) => Promise<string | null>): Promise<string | null> {
  if (scope.reuse === null) throw new Error('nothing is to be reused');
  try {
    return await act(scope.reuse);
  } catch (error) {
    if (error instanceof DiskError) return error.message;
    throw error;
  }
}

function same(some: readonly Tree[], others: readonly Tree[]): boolean {
  return JSON.stringify(some) === JSON.stringify(others);
}
