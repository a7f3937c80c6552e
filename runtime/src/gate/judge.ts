/** One file under the checks of a stage, from the top, as a round of a run judges what an agent left (K-1). */
import type { Stage } from '@gated-flow/assembly';
import type { Fact } from '@gated-flow/record';
import { checksOf } from '../checks/index.js';
import { realPath } from '../plan/real-path.js';
import { layOut, stageScope } from '../stage/enter.js';
import { type Ending, OUTSIDE } from '../stage/decide.js';
import { beginning } from '../stage/progress.js';
import { attempted, runCheck } from '../stage/run-check.js';
import type { Given, RunScope, StageScope } from '../stage/scope.js';
import type { Candidate } from './fixtures.js';
import { type FileVerdict, type JudgedFile, type MadeCheck, verdictOf } from './proof.js';

export interface Judging {
  scopeWith(tell: (fact: Fact) => void): RunScope;
  readonly stage: Stage;
  readonly given: readonly Given[];
}

/** Judges a copy in scratch: whatever a gate does, the file stays as it is. Null when a signal came in between. Rejects with a DiskError. */
export async function judgeFile({ scopeWith, stage, given }: Judging, candidate: Candidate): Promise<JudgedFile | null> {
  const made: MadeCheck[] = [];
  const scope = stageScope(
    scopeWith((fact) => {
      if (fact.event === 'check')
        made.push({ check: fact.check, ...(fact.file === undefined ? {} : { file: fact.file }), exit: fact.exit, ms: fact.ms });
    }),
    stage,
    {},
  );
  const ending = await endingOf(scope, given, candidate.path);
  await scope.ports.disk.remove(scope.nest);
  if (ending?.cause === 'signal') return null;
  const { shown: file, expected } = candidate;
  const verdict: FileVerdict = ending === null ? 'pass' : verdictOf(ending);
  return {
    ...{ file, expected, verdict, as_expected: verdict === expected },
    ...(ending?.failed === undefined ? {} : { check: ending.failed }),
    ...(ending?.reason === undefined ? {} : { text: ending.reason }),
    checks: made,
  };
}

/** Null when every check passed. */
async function endingOf(scope: StageScope, given: readonly Given[], path: string): Promise<Ending | null> {
  const entered = await attempted(scope, async () => {
    await layOut(scope, given);
    await put(scope, path);
    return { fact: 'entered' };
  });
  if (entered.fact === 'ended') return entered.ending;
  const checks = fileChecks(scope);
  const performing = { scope, progress: beginning(), checks, state: OUTSIDE };
  for (const index of checks.keys()) {
    const fact = await attempted(scope, () => runCheck(performing, index));
    if (fact.fact === 'ended') return fact.ending;
    if (fact.fact === 'check-failed') return { cause: 'exhausted', exit: 1, failed: fact.failed, reason: fact.reason };
  }
  return null;
}

/** A checklist, a contract and a question judge what an agent did; a file alone shows nothing of it. */
function fileChecks(scope: StageScope) {
  return checksOf({ ...scope, stage: { ...scope.stage, checklist: [] }, question: undefined, select: undefined, heldTo: [] });
}

/** What is no file there is none at `$OUTPUT` either: the first check says what it found (K-3). */
async function put({ ports: { disk }, output }: StageScope, path: string): Promise<void> {
  const file = await realPath(path, disk);
  const standing = file === null ? null : await disk.look(file);
  if (file !== null && standing?.kind === 'file') await disk.copy(file, output);
  else if (standing?.kind === 'folder') await disk.makeFolder(output);
}
