/** What a replay does in place of a walk: every recorded attempt of every stage, judged one after the other (M-7). */
import { dirname, join } from 'node:path';
import { placesOf, type Flow, type Stage } from '@gated-flow/assembly';
import { staysInside, type StageView } from '@gated-flow/record';
import { terminalView } from '../../checks/view.js';
import { DiskError } from '../../ports/disk.js';
import { runFile } from '../../record/read-run.js';
import type { Ending } from '../../stage/decide.js';
import { fault, stopped } from '../../stage/ending.js';
import { beginning } from '../../stage/progress.js';
import { announce, stageScope } from '../../stage/enter.js';
import type { Given, RunScope, StageScope } from '../../stage/scope.js';
import { broken } from '../broken.js';
import type { Walked } from '../../walk/walk.js';
import type { Donor } from '../donor/donor.js';
import { type Attempt, attemptsOf, type Marked, readMarks, stageKey } from './attempts.js';
import { judgeAttempt, type JudgedAttempt } from './judge.js';
import { type AttemptRow, outcomeOf, type ReplayRow, tallyOf, type Told } from './rows.js';
import type { ThenVerdict, VerdictName } from './then.js';

/** Judges everything that can be; each row is told as soon as it is known. Rejects only when the record cannot be written. */
export async function replayDonor(scope: RunScope, donor: Donor, tell: (row: ReplayRow) => void): Promise<Walked> {
  const rows: ReplayRow[] = [];
  const keep = (row: ReplayRow): void => {
    rows.push(row);
    tell(row);
  };
  const marks = await readMarks(donor.folder);
  for (const view of donor.view.stages) {
    await replayStage({ scope, donor, view, marks: marks.get(stageKey(view.stage, view.repeat)) ?? [], keep });
    const stop = scope.stop.reason();
    if (stop) return { ending: stopped(stop), stage: view.stage, outputs: null };
  }
  for (const row of childRows(donor)) keep(row);
  const known = new Set(donor.view.stages.map(({ stage }) => stage));
  for (const { step } of placesOf(scope.flow)) {
    if (step.type === 'STAGE' && !known.has(step.path)) keep(stageRow({ stage: step.path }, 'nothing of it was recorded'));
  }
  const ending = endingOf(rows);
  const broken = rows.find(({ outcome }) => outcome === (ending.exit === 2 ? 'fault' : 'changed'));
  return ending.cause === 'success'
    ? { ending, stage: scope.flow.steps.at(-1)?.path ?? '', outputs: [] }
    : { ending, stage: broken?.stage ?? '', outputs: null };
}

/** A row for each place that called child runs: what was not judged is said, too. */
function childRows({ view }: Donor): readonly ReplayRow[] {
  const counts = new Map<string, number>();
  for (const { stage = '' } of view.subflows) counts.set(stage, (counts.get(stage) ?? 0) + 1);
  return [...counts].map(([stage, count]) =>
    stageRow({ stage }, `its ${count === 1 ? 'child run is' : `${count} child runs are`} not judged`),
  );
}

interface Replaying {
  readonly scope: RunScope;
  readonly donor: Donor;
  readonly view: StageView;
  readonly marks: readonly Marked[];
  keep(row: ReplayRow): void;
}

async function replayStage({ scope, donor, view, marks, keep }: Replaying): Promise<void> {
  const stage = stageNamed(scope.flow, view.stage);
  const why = whyNot(stage, view, scope.flow);
  if (stage === null || why !== null) return keep(stageRow(view, why ?? ''));
  const then = donor.flow === null ? undefined : (stageNamed(donor.flow, view.stage) ?? undefined);
  const attempts = await attemptsOf({ folder: donor.folder, view, stage: then, marks }, scope.ports.disk);
  if (attempts.length === 0) return keep(stageRow(view, 'no attempt of it was judged'));
  const given = await takeReceived(scope, donor, view);
  announce(stageScope(scope, stage, { repeat: view.repeat }), given, []);
  let last: Last | null = null;
  try {
    for (const attempt of attempts) {
      const now = attempt.lost === undefined ? await judgeOne(stageScope(scope, stage, { repeat: view.repeat }), given, attempt) : null;
      if (now !== null) last = { ...now, attempt: attempt.attempt };
      if (scope.stop.reason() !== null) break;
      keep(await attemptRow({ scope, donor, view }, attempt, now));
    }
  } catch (error) {
    endStage(scope, view, { ending: broken(error, { onActivity: scope.watch }), progress: beginning(), attempt: last?.attempt ?? 0 });
    throw error;
  }
  endStage(scope, view, last);
  await scope.recorder.sync();
}

type Last = JudgedAttempt & { readonly attempt: number };

function stageNamed(flow: Flow, path: string): Stage | null {
  const step = placesOf(flow).find((place) => place.step.path === path)?.step;
  return step?.type === 'STAGE' ? step : null;
}

/** Why nothing of a stage can be judged, in half a sentence. */
function whyNot(stage: Stage | null, view: StageView, flow: Flow): string | null {
  if (view.state === 'carried' || view.state === 'reused')
    return `it was ${view.state} from ${view.from ?? 'another run'}: replay that one`;
  if (stage !== null) return null;
  const place = placesOf(flow).find(({ step }) => step.path === view.stage);
  return place === undefined ? 'the assembly has no such stage now' : 'what a choice selects is not judged by checks';
}

/** What the stage was given, copied to the same places in the replay's own folder. */
async function takeReceived({ folder, ports: { disk } }: RunScope, donor: Donor, { received }: StageView): Promise<readonly Given[]> {
  const given: Given[] = [];
  for (const { name, path, sha256 } of received) {
    const file = join(folder, path);
    const from = staysInside(path) ? await runFile(donor.folder, path, disk) : null;
    if (from === null) throw new DiskError('read', join(donor.folder, path), 'ENOENT');
    if ((await disk.look(file)) === null) {
      await disk.makeFolder(dirname(file));
      await disk.copy(from, file);
    }
    given.push({ name, file, sha256 });
  }
  return given;
}

async function judgeOne(scope: StageScope, given: readonly Given[], attempt: Attempt): Promise<JudgedAttempt> {
  const judged = await judgeAttempt(scope, given, attempt);
  try {
    await scope.ports.disk.remove(scope.nest);
  } catch (error) {
    if (!(error instanceof DiskError)) throw error;
  }
  return judged;
}

/** The stage ends as its last judged attempt did. */
function endStage({ recorder, redactor }: RunScope, { stage, repeat }: StageView, last: Last | null): void {
  const { ending, progress, attempt } = last ?? {
    ending: fault('None of its attempts could be judged.'),
    progress: beginning(),
    attempt: 0,
  };
  recorder.append({
    event: 'stage_end',
    ...{ stage, ...(repeat === undefined ? {} : { repeat }) },
    ...{ exit: ending.exit, cause: ending.cause },
    ...(ending.reason === undefined ? {} : { reason: redactor.text(ending.reason) }),
    ...(ending.failed === undefined ? {} : { failed: ending.failed }),
    ...(progress.kept === null ? {} : { output: progress.kept }),
    sealed: ending.cause === 'success',
    judged: progress.beyondOutput,
    attempts: attempt,
  });
}

async function attemptRow(
  { scope, donor, view }: Pick<Replaying, 'scope' | 'donor' | 'view'>,
  { attempt, then, lost }: Attempt,
  judged: JudgedAttempt | null,
): Promise<AttemptRow> {
  const about = { stage: view.stage, ...(view.repeat === undefined ? {} : { repeat: view.repeat }), attempt };
  const told = await toldThen(scope, donor, then);
  if (judged === null) return { ...about, then: told, now: null, outcome: 'skipped', ...(lost === undefined ? {} : { why: lost }) };
  const now = toldNow(judged.ending);
  return { ...about, then: told, now, outcome: outcomeOf(then.verdict, now.verdict) };
}

async function toldThen(
  { ports: { disk }, redactor }: RunScope,
  { folder }: Donor,
  { verdict, check, capture }: ThenVerdict,
): Promise<Told<ThenVerdict['verdict']>> {
  const file = capture === undefined ? null : await runFile(folder, capture, disk);
  const text = file === null ? {} : { text: terminalView(await disk.read(file), redactor) };
  return { verdict, ...(check === undefined ? {} : { check }), ...text };
}

function toldNow({ cause, failed, reason }: Ending): Told<VerdictName> {
  const about = { ...(failed === undefined ? {} : { check: failed }), ...(reason === undefined ? {} : { text: reason }) };
  if (cause === 'success') return { verdict: 'passed' };
  if (cause === 'exhausted' || cause === 'rejected') return { verdict: 'failed', ...about };
  return { verdict: cause === 'blocked' || cause === 'timeout' ? cause : 'fault', ...about };
}

function stageRow({ stage, repeat }: { readonly stage: string; readonly repeat?: number }, why: string): ReplayRow {
  return { stage, ...(repeat === undefined ? {} : { repeat }), attempt: null, outcome: 'skipped', why };
}

/** A check that could not be carried out makes the whole replay impossible; a changed verdict makes it fail (E-1). */
function endingOf(rows: readonly ReplayRow[]): Ending {
  const { changed, faults, skipped } = tallyOf(rows);
  const judged = rows.length - skipped;
  if (faults > 0) return fault(`${faults} of ${judged} attempts could not be judged: a check of today is broken.`);
  if (changed === 0) return { cause: 'success', exit: 0 };
  return { cause: 'rejected', exit: 1, reason: `${changed} of ${judged} verdicts changed.` };
}
