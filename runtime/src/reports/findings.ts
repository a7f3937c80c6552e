/** What of a run deserves an annotation: why it failed, what should be looked at, what was repaired on the way. */
import type { CheckView, HookView, StageView } from '@gated-flow/record';
import { counted } from '@gated-flow/text';
import { roundTitle } from '../views/figures.js';
import { checkTitle } from '../views/said.js';
import { FLAGS } from '../views/stage-line.js';
import { placeOf, type RunPart } from './source.js';
import { failedUnjudged, isAboutWork, type Judged, judgedIn } from './verdicts.js';
import { firstLine, type Words } from './words.js';

export interface Finding {
  readonly level: 'error' | 'warning' | 'notice';
  /** In a line. */
  readonly title: string;
  readonly message: string;
  /** The stage, and the file in its folder, that it is about; null when it is about no stage of the run's own. */
  readonly at: { readonly stage: string; readonly file: string | null } | null;
}

/** One after the other; their order says nothing of their rank. */
export async function* findingsOf(parts: AsyncIterable<RunPart>, words: Words): AsyncGenerator<Finding> {
  let outermost: RunPart | null = null;
  let failed = false;
  for await (const part of parts) {
    outermost ??= part;
    for (const stage of part.view.stages) {
      for await (const finding of ofStage(part, stage, words)) {
        failed ||= finding.level === 'error';
        yield finding;
      }
    }
  }
  if (outermost !== null && !failed) yield* ofEnding(outermost, words);
}

async function* ofStage(part: RunPart, stage: StageView, words: Words): AsyncGenerator<Finding> {
  const place = words.clean(placeOf(part, stage));
  for (const judged of judgedIn(stage)) {
    if (judged.standing === 'passed') continue;
    const text = await words.said(part, judged.program);
    yield {
      ...standingOf(judged, part, { who: `${place}: ${words.clean(checkTitle(judged.program))}`, cause: stage.ending?.cause }),
      message: text === '' ? silence(judged, stage, words) : text,
      at: placeIn(part, stage, judged.program),
    };
  }
  const { ending, flags, drift, contracts = [], teardown } = stage;
  const about = (level: Finding['level'], title: string, message: string): Finding => ({
    ...{ level, title: `${place}: ${words.clean(title)}`, message: words.clean(message) },
    at: placeIn(part, stage, null),
  });
  if (failedUnjudged(stage))
    yield about(part.counts ? 'error' : 'warning', ending?.cause ?? '', ending?.reason ?? `It ended as ${ending?.cause ?? ''}.`);
  if (ending === null && part.state !== 'running') yield about('error', 'no end', 'The record ends before the stage does.');
  for (const { file } of drift)
    yield about('warning', 'a file was changed under the run', `${file} is not what it was when the run began.`);
  for (const clause of contracts)
    if (clause.action_taken === 'warn') yield about('warning', `${clause.contract}: ${clause.clause_name}`, clause.details);
  for (const flag of flags) yield about('warning', FLAGS[flag], 'Look at what its checks said, round by round.');
  if (teardown !== undefined) yield about('warning', 'its scratch folder could not be removed', teardown);
}

/** A check that was stopped had no time to say why. */
function silence({ standing }: Judged, { ending }: StageView, { clean }: Words): string {
  const stopped = standing === 'final' && ending !== null && !isAboutWork(ending.cause);
  return clean((stopped ? ending.reason : undefined) ?? 'It said nothing.');
}

interface Speaker {
  readonly who: string;
  /** How its stage ended. */
  readonly cause: string | undefined;
}

function standingOf({ round, standing }: Judged, { counts }: RunPart, { who, cause }: Speaker): Pick<Finding, 'level' | 'title'> {
  const when = round === null ? '' : ` in ${roundTitle(round)}`;
  if (standing === 'sent-back') return { level: 'notice', title: `${who} sent the work back${when}` };
  const what = cause === undefined || isAboutWork(cause) ? 'said no' : `did not judge: ${cause}`;
  return { level: counts ? 'error' : 'warning', title: `${who} ${what}${when}` };
}

/** A child's stage may stand anywhere in the assembly. */
function placeIn({ run }: RunPart, { stage }: StageView, program: CheckView | HookView | null): Finding['at'] {
  return run.within.length > 0 ? null : { stage, file: program?.file ?? null };
}

/** For a run that failed without a stage that did. */
function* ofEnding({ view, state }: RunPart, { clean }: Words): Generator<Finding> {
  const { ending } = view;
  if (ending?.cause === 'success' || state === 'running') return;
  if (ending === null) {
    yield {
      level: 'error',
      title: 'no end',
      message: `The run was killed after ${counted(view.events, 'event')}: its record has no end.`,
      at: null,
    };
    return;
  }
  const at = ending.stage === undefined ? null : { stage: ending.stage, file: null };
  const reason = clean(ending.reason ?? `It ended as ${ending.cause}.`);
  yield {
    level: 'error',
    title: clean([ending.cause, ending.stage].filter(Boolean).join(' at ')),
    message: firstLine(reason) === '' ? ending.cause : reason,
    at,
  };
}
