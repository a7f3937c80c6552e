import { DiskError } from '../ports/disk.js';
import { removeScratch } from '../record/remove-scratch.js';
import { sealRun, type Sealed } from '../record/seal.js';
import type { Ending } from '../stage/decide.js';
import { fault, stopped } from '../stage/ending.js';
import type { Walked } from '../walk/walk.js';
import type { Born } from './begin.js';
import type { Machine } from './machine.js';
import type { RunOptions } from './options.js';
import { pendingIn } from './pending.js';
import { asWalked, endFields } from './start-and-end.js';

export interface RunOutcome {
  readonly run: string;
  /** The run's folder: absolute. */
  readonly folder: string;
  readonly ending: Ending;
  /** The stage that ended it, when one did. */
  readonly stage: string | null;
  /** The sealed output of the last stage: absolute path. Null unless the run succeeded. */
  readonly output: { readonly file: string; readonly sha256: string } | null;
  /** What went wrong after the ending was known; the record may lack its seals. */
  readonly trouble: string | null;
  /** How to merge or to drop what an isolated run changed. */
  readonly worktree: readonly string[];
}

/** Ends every process, takes the scratch away, seals the record and lets go of the run. Never rejects for a disk. */
export async function finish(
  born: Born,
  walked: Walked | Ending,
  { machine, options }: { machine: Machine; options: RunOptions },
): Promise<RunOutcome> {
  const { claimed, recorder, stop } = born;
  stop.settle();
  if (born.startedPrograms()) await born.programs.sweep(born.scratch, born.scratch);
  await clearScratch(born, machine);
  await born.settleAll();

  const ended = asWalked(walked);
  born.quiet();
  const reason = stop.reason();
  const ending = reason?.stop === 'signal' ? stopped(reason) : ended.ending;
  const sealed = await sealRun(
    {
      folder: claimed.folder,
      recorder,
      ending: { ...endFields(ending, ended.stage, born.redactor), ...pendingIn(born, '') },
      named: born.named,
      outputs: born.outputs,
      ...(options.signWith ? { key: options.signWith } : {}),
    },
    machine,
  );
  recorder.close();
  const trouble = await release(born, sealed.error ?? null);
  const final = finalEnding(ending, sealed);
  const left = await born.worktree?.close(final.cause === 'success' ? 'success' : 'failure');
  const [output] = ended.outputs ?? [];
  return {
    run: claimed.name,
    folder: claimed.folder,
    ending: final,
    stage: ended.stage,
    output: final.cause === 'success' && output ? { file: output.file, sha256: output.sha256 } : null,
    trouble,
    worktree: left?.lines ?? [],
  };
}

/** A success whose record or seals are not durable is none, whatever the record could still say of it. */
function finalEnding(ending: Ending, sealed: Sealed): Ending {
  if (sealed.ending.cause !== ending.cause) return fault(sealed.ending.reason ?? 'The run could not be sealed.');
  if (ending.cause === 'success' && sealed.error) return fault(`The record could not be finished: ${sealed.error.message}.`);
  return ending;
}

/** A record that cannot take even a failed clean-up is told of when it is sealed. */
async function clearScratch({ scratch, recorder }: Born, { disk }: Machine): Promise<void> {
  try {
    await removeScratch(scratch, { disk, recorder });
  } catch (error) {
    if (!(error instanceof DiskError)) throw error;
  }
}

async function release({ claimed }: Born, earlier: DiskError | null): Promise<string | null> {
  try {
    await claimed.release();
  } catch (error) {
    if (!(error instanceof DiskError)) throw error;
    return (earlier ?? error).message;
  }
  return earlier?.message ?? null;
}
