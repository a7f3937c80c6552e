import { escapeControls } from '@gated-flow/text';
import type { Fact } from '@gated-flow/record';
import { beforeEach, describe, expect, it } from 'vitest';
import { type Board, openBoard } from '../../src/progress/board.js';
import { liveProgress } from '../../src/progress/live.js';
import { plainProgress } from '../../src/progress/plain.js';
import type { Progress } from '../../src/progress/progress.js';
import type { Screen } from '../../src/ports/screen.js';
import type { Activity } from '../../src/stage/activity.js';
import { createManualClock } from '../../src/testing/index.js';

const S = '02-draft';
const START: Fact = { event: 'stage_start', stage: S, received: [], options: {}, slots: [], workdir: '/w', tools: [], skills: [] };
const TURN: Fact = {
  ...{ event: 'turn', stage: S, retry: 1, provider: 'p', model: 'm', cache_read: null, cache_write: null },
  ...{ input: 1_500, output: 40, cost_usd: 0.004, stop: 'calls', ms: 10 },
};
const END: Fact = {
  ...{ event: 'stage_end', stage: S, exit: 0, cause: 'success', sealed: true, judged: true, attempts: 2 },
  output: { path: 'stages/02-draft/1/2/output.md', sha256: 'x', bytes: 1 },
};

let clock = createManualClock();
let board: Board = openBoard();
beforeEach(() => {
  clock = createManualClock();
  board = openBoard();
});

/** Plays facts and activities as a run would tell them. */
function tell(progress: Progress, happened: Fact | Activity): void {
  if ('event' in happened) board.fact({ ...happened, ts: '', prev: '' }, clock.now());
  else board.activity(happened, clock.now());
  const stage = board.stages.get(S);
  if (!stage) return;
  if ('event' in happened && happened.event === 'stage_start') progress.started(stage);
  if ('event' in happened && happened.event === 'stage_end') progress.ended(stage);
  if ('event' in happened && happened.event === 'provider_retry') progress.waiting(stage);
  if ('activity' in happened && happened.activity === 'sent-back') progress.said(stage);
}

const telling = (): Parameters<typeof plainProgress>[2] => ({ clock, clean: escapeControls, nameWidth: 10 });
const no = (reason: string): Activity => ({ activity: 'sent-back', stage: S, attempt: 1, check: 'gate/02-sections', reason });

describe('progress in a log', () => {
  it('[I-3] a line for each start, round and end, and nothing that steers a terminal', async () => {
    const lines: string[] = [];
    const progress = plainProgress(board, (text) => lines.push(text), telling());
    tell(progress, START);
    tell(progress, TURN);
    await clock.advance(1_200);
    tell(progress, no('\n  The reply has no \u001b[31mend\u001b[0m.\nSecond line'));
    tell(progress, END);
    progress.close();
    expect(lines).toEqual([
      ' ▸ 02-draft\n',
      '     round 1   gate/02-sections   The reply has no \\x1b[31mend\\x1b[0m.\n',
      ' ✓ 02-draft    2 rounds     1.2 s   1.5k in    40 out  $0.004  draft.md\n',
    ]);
    expect(clock.waiting()).toBe(0);
  });

  it('[I-3 G-3 G-4] a repeat is named, and a choice says what was chosen', () => {
    const lines: string[] = [];
    const progress = plainProgress(board, (text) => lines.push(text), telling());
    const { output: _none, ...unsealed } = END;
    tell(progress, { ...START, repeat: 2 });
    tell(progress, { event: 'chose', stage: S, repeat: 2, chose: 'fix', declined: ['stop'], reason: 'small' });
    tell(progress, { ...unsealed, repeat: 2, attempts: 1, sealed: false });
    progress.close();
    expect(lines).toEqual([' ▸ 02-draft (2)\n', ' ✓ 02-draft (2)  1 round       0 ms                              chose fix\n']);
  });

  it('[I-3] a heartbeat every half minute, with turns, tools and what is being done', async () => {
    const lines: string[] = [];
    const progress = plainProgress(board, (text) => lines.push(text), telling());
    tell(progress, START);
    tell(progress, TURN);
    await clock.advance(20_000);
    tell(progress, { activity: 'tool', stage: S, attempt: 1, tool: 'bash' });
    await clock.advance(40_000);
    expect(lines.slice(1)).toEqual([
      ' … 02-draft   round 1, 1 turn, 1 tool call, bash for 10.0 s\n',
      ' … 02-draft   round 1, 1 turn, 1 tool call, bash for 40.0 s\n',
    ]);
    tell(progress, END);
    await clock.advance(30_000);
    expect(lines).toHaveLength(4);
    progress.close();
  });

  it('[I-3 L-4] waiting for a provider is told', () => {
    const lines: string[] = [];
    const progress = plainProgress(board, (text) => lines.push(text), telling());
    tell(progress, START);
    tell(progress, { event: 'provider_retry', stage: S, attempt: 1, status: 529, delay_ms: 1_400 });
    expect(lines.at(-1)).toBe('     provider: 529; try 2 in 1.4 s\n');
    progress.close();
  });
});

describe('progress on a terminal', () => {
  function screen(columns: number): Screen & { painted: readonly string[]; kept: string[]; closed: boolean } {
    return {
      painted: [],
      kept: [],
      closed: false,
      columns,
      rows: 24,
      paint(lines) {
        this.painted = lines;
      },
      print(lines) {
        this.kept.push(...lines);
      },
      close() {
        this.closed = true;
      },
    };
  }

  it('[I-3] what runs is painted anew, what has ended stays', async () => {
    const terminal = screen(100);
    const progress = liveProgress(board, terminal, telling());
    tell(progress, START);
    tell(progress, TURN);
    tell(progress, { activity: 'tool', stage: S, attempt: 1, tool: 'bash' });
    tell(progress, no('Say more.'));
    await clock.advance(1_000);
    expect(terminal.painted).toEqual([
      expect.stringMatching(/^ . 02-draft {4}round 1 {5}960 ms {3}1\.5k in {4}40 out {2}\$0\.004 {2}bash 960 ms$/),
      '     round 1   gate/02-sections   Say more.',
    ]);
    tell(progress, END);
    expect(terminal.kept).toEqual([expect.stringContaining('✓ 02-draft'), '     round 1   gate/02-sections   Say more.']);
    expect(terminal.painted).toEqual([]);
    progress.close();
    expect([terminal.closed, clock.waiting()]).toEqual([true, 0]);
  });

  it('[I-3] a painted line never wraps', async () => {
    const terminal = screen(30);
    const progress = liveProgress(board, terminal, telling());
    tell(progress, START);
    tell(progress, no('a very long sentence that goes on and on'));
    await clock.advance(500);
    expect(terminal.painted.every((line) => line.length < 30)).toBe(true);
    progress.close();
  });
});
