import { createRunFold, type Fact, type RunView } from '@gated-flow/record';
import { cutText, escapeControls, type Redactor } from '@gated-flow/text';
import type { Clock } from '../../ports/clock.js';
import { openBoard } from '../../progress/board.js';
import { liveProgress } from '../../progress/live.js';
import { plainProgress } from '../../progress/plain.js';
import { type Progress, SILENT, type Telling } from '../../progress/progress.js';
import type { Activity } from '../../stage/activity.js';
import type { Io } from '../command.js';

export interface RunWatch {
  readonly fact: (fact: Fact) => void;
  readonly activity: (activity: Activity) => void;
  readonly notice: (sentence: string) => void;
  readonly end: () => void;
  /** What the record says so far. */
  view(): RunView;
}

export interface Watching {
  readonly io: Io;
  readonly quiet: boolean;
  readonly redactor: Redactor;
  readonly clock: Clock;
  /** The first line, but for the run's name. */
  readonly title: string;
  readonly stages: readonly string[];
}

const LINE_BYTES = 2_048;

/** Follows a run for whoever looks at standard error: repainted on a terminal, a line at a time elsewhere (I-3). */
export async function watchRun(watching: Watching): Promise<RunWatch> {
  const { io, clock, title } = watching;
  const fold = createRunFold();
  const board = openBoard();
  const progress = await progressOf(watching, board);
  return {
    fact(fact) {
      const now = clock.now();
      const event = { ...fact, ts: new Date(now).toISOString(), prev: '' };
      fold.add(event);
      board.fact(event, now);
      if (fact.event === 'run_start') progress.line(`${title}   run ${fact.run}`);
      const stage = fact.stage === undefined ? undefined : board.stages.get(fact.stage);
      if (stage && fact.event === 'stage_start') progress.started(stage);
      if (stage && fact.event === 'stage_end') progress.ended(stage);
    },
    activity(activity) {
      board.activity(activity, clock.now());
      if (activity.activity === 'broken') io.log.error('something broke', { error: activity.error });
      const stage = activity.activity === 'sent-back' ? board.stages.get(activity.stage) : undefined;
      if (stage) progress.said(stage);
    },
    notice: (sentence) => progress.line(sentence),
    end: () => progress.close(),
    view() {
      const view = fold.view();
      if (!view) throw new Error('the run has no first line');
      return view;
    },
  };
}

async function progressOf({ io, quiet, redactor, clock, stages }: Watching, board: ReturnType<typeof openBoard>): Promise<Progress> {
  if (quiet) return SILENT;
  const telling: Telling = {
    clock,
    clean: (line) => cutText(escapeControls(redactor.text(line)), LINE_BYTES),
    nameWidth: Math.min(40, Math.max(...stages.map((stage) => stage.length))),
  };
  if (!io.errLive) return plainProgress(board, io.err, telling);
  const { openScreen } = await import('../../io/screen.js');
  return liveProgress(board, openScreen(), telling);
}
