import { join } from 'node:path';
import { stagesOf } from '@gated-flow/assembly';
import { addTurn, createRunFold, type ModelSource, noUsage, type RunView } from '@gated-flow/record';
import { cutText, escapeControls, type Redactor } from '@gated-flow/text';
import { pathFromHere, shellWord } from '../../plan/fix.js';
import type { Prepared } from '../../plan/prepare.js';
import type { Clock } from '../../ports/clock.js';
import { type Board, openBoard, pathOf } from '../../progress/board.js';
import { type Hush, hushableScreen, hushableWriter } from '../../progress/hush.js';
import { liveProgress } from '../../progress/live.js';
import { plainProgress } from '../../progress/plain.js';
import { type Progress, SILENT, type Telling } from '../../progress/progress.js';
import type { Watchers } from '../../run/call.js';
import type { Below } from '../../views/run-document.js';
import type { Io } from '../command.js';
import { askTerminal } from './ask-terminal.js';
import { titleOf } from './title.js';

export interface RunWatch extends Watchers {
  readonly redactor: Redactor;
  /** What the record says so far. */
  view(): RunView;
  /** How many child runs have ended, those of children included, and what all of them used so far. */
  below(): Below;
  /** The folder of a stage as a command line here names it; null for a stage that is a single file. */
  folderOf(stage: string): string | null;
}

export interface Watching {
  readonly io: Io;
  readonly quiet: boolean;
  /** Also why no earlier work stood in for a stage's own. */
  readonly verbose?: boolean;
  readonly clock: Clock;
  readonly prepared: Prepared;
  readonly source: ModelSource;
}

const LINE_BYTES = 2_048;

/** Follows a run for whoever looks at standard error: repainted on a terminal, a line at a time elsewhere (I-3). */
export async function watchRun(watching: Watching): Promise<RunWatch> {
  const { io, clock, prepared, source, verbose = false } = watching;
  const { redactor } = io;
  const fold = createRunFold();
  const below = noUsage();
  let children = 0;
  const board = openBoard();
  const { progress, hush } = await progressOf(watching, { board, redactor });
  const approve = prepared.plan.governance === null ? undefined : askTerminal({ io, redactor, hush });
  return {
    redactor,
    ...(approve === undefined ? {} : { approve }),
    onFact(fact, child) {
      const now = clock.now();
      const event = { ...fact, ts: new Date(now).toISOString(), prev: '' };
      if (child === null) fold.add(event);
      else if (fact.event === 'turn') addTurn(below, fact);
      if (fact.event === 'subflow_call') children += 1;
      const change = board.fact(event, now, child);
      if (fact.event === 'run_start' && child === null) progress.line(`${titleOf(prepared, source)}   run ${fact.run}`);
      if (change?.change === 'returned') progress.returned(change.child);
      if (change?.change === 'fanned-out') progress.fannedOut(change.fanout, change.cause);
      const stage = board.stage(fact.stage, child);
      if (stage && fact.event === 'stage_start') progress.started(stage);
      if (stage && fact.event === 'provider_retry') progress.waiting(stage);
      if (stage && fact.event === 'stage_end') progress.ended(stage);
    },
    onActivity(activity, child) {
      board.activity(activity, clock.now(), child);
      if (activity.activity === 'broken') io.log.error('something broke', { error: activity.error });
      const stage = activity.activity === 'sent-back' ? board.stage(activity.stage, child) : undefined;
      if (stage) progress.said(stage);
      if (activity.activity === 'not-reused' && verbose) {
        const anew = board.stage(activity.stage, child);
        if (anew) progress.line(`   ${pathOf(anew)}   nothing to reuse: ${activity.why}`);
      }
    },
    onNotice: (sentence) => progress.line(sentence),
    onEnd: () => progress.close(),
    view() {
      const view = fold.view();
      if (!view) throw new Error('the run has no first line');
      return view;
    },
    below: () => ({ runs: children, usage: below }),
    folderOf: (stage) => stageFolder(stage, prepared, io.cwd),
  };
}

function stageFolder(path: string, { plan: { assembly, flow } }: Prepared, cwd: string): string | null {
  const stage = flow && stagesOf(flow).find((one) => one.path === path);
  if (!stage || stage.entry === stage.sentinel) return null;
  return shellWord(pathFromHere(join(assembly.snapshot.root, stage.entry), cwd));
}

async function progressOf(
  { io, quiet, clock, prepared }: Watching,
  { board, redactor }: { board: Board; redactor: Redactor },
): Promise<Hush & { readonly progress: Progress }> {
  if (quiet) return { progress: SILENT, hush: () => () => {} };
  const telling: Telling = {
    clock,
    clean: (line) => cutText(escapeControls(redactor.text(line)), LINE_BYTES),
    nameWidth: Math.min(40, Math.max(...prepared.plan.rows.map(({ stage }) => stage.length))),
  };
  if (!io.errLive) {
    const { write, hush } = hushableWriter(io.err);
    return { progress: plainProgress(board, write, telling), hush };
  }
  const { openScreen } = await import('../../io/screen.js');
  const { screen, hush } = hushableScreen(openScreen());
  return { progress: liveProgress(board, screen, telling), hush };
}
