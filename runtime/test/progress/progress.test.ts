import { escapeControls } from '@gated-flow/text';
import type { Fact, FactOf } from '@gated-flow/record';
import { beforeEach, describe, expect, it } from 'vitest';
import { type Board, openBoard } from '../../src/progress/board.js';
import { stageRow } from '../../src/views/stage-row.js';
import { liveProgress } from '../../src/progress/live.js';
import { plainProgress } from '../../src/progress/plain.js';
import type { Progress } from '../../src/progress/progress.js';
import { runningTree } from '../../src/progress/tree.js';
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
function tell(progress: Progress, happened: Fact | Activity, child: string | null = null): void {
  const change = 'event' in happened ? board.fact({ ...happened, ts: '', prev: '' }, clock.now(), child) : null;
  if (!('event' in happened)) board.activity(happened, clock.now(), child);
  if (change?.change === 'returned') progress.returned(change.child);
  if (change?.change === 'fanned-out') progress.fannedOut(change.fanout, change.cause);
  const stage = board.stage('stage' in happened ? happened.stage : undefined, child);
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

  it.each([
    [100, ' ⠏ a-rather-long-name-of-a-stage  round 1     120 ms'],
    [70, ' ⠏ a-rather-long-name-of-a-stage  round 1     120 ms  bash 120 ms'],
    [45, ' ⠏ a-rather-long-name…    120 ms  bash 120 ms'],
    [20, ' ⠏ a-rather-…    120 ms  bash 120…'],
  ])('[I-3] in %d columns the time and the tool are still there', (columns, expected) => {
    const row = { mark: '⠏', title: 'a-rather-long-name-of-a-stage', rounds: 'round 1', ms: 120, usage: null, result: 'bash 120 ms' };
    expect(
      stageRow(row, 29, columns)
        .trimEnd()
        .replace(/ {20,}/, '')
        .startsWith(expected),
    ).toBe(true);
  });

  it('[I-3] of a path that is too long the last name stays, from its beginning', () => {
    const row = { mark: '✓', title: '02-many/branch-of-some-length', rounds: '1 round', ms: 1000, usage: null, result: 'x.txt' };
    expect(stageRow(row, 29, 40)).toMatch(/^ ✓ …\/branch-of-s…/);
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

const call = (n: number, item?: string): FactOf<'subflow_start'> => ({
  ...{ event: 'subflow_start', stage: item === undefined ? S : '06-map', retry: 1, n, flow: 'job', depth: 1 },
  ...(item === undefined ? {} : { item }),
  input: { sha256: 'x', bytes: 1 },
});
const back = (n: number, item: string | undefined, cause: 'success' | 'exhausted'): Fact => ({
  ...call(n, item),
  ...{ event: 'subflow_call', cause, exit: cause === 'success' ? 0 : 1, record_sha256: 'x' },
});
const place = (n: number, item?: string): string => `stages/${item === undefined ? S : '06-map'}/1/1/subflows/${n}`;
const start = (stage: string, repeat?: number): Fact => ({ ...START, stage, ...(repeat === undefined ? {} : { repeat }) });
const end = (stage: string): Fact => ({ ...END, stage });
const FANOUT: Fact = { event: 'fanout_start', stage: '06-map', items: 3, subflow: 'job', width: 3 };

describe('progress of child runs', () => {
  it('[I-3 G-6 G-7] in a log every line says which child run it is of', () => {
    const lines: string[] = [];
    const progress = plainProgress(board, (text) => lines.push(text), telling());
    tell(progress, FANOUT);
    for (const [n, item] of [
      [1, 'j01'],
      [2, 'j02'],
    ] as const) {
      tell(progress, call(n, item));
      tell(progress, start('01-say'), place(n, item));
    }
    tell(progress, { activity: 'sent-back', stage: '01-say', attempt: 1, check: 'schema', reason: 'No.' }, place(2, 'j02'));
    tell(progress, { ...TURN, stage: '01-say' }, place(1, 'j01'));
    tell(progress, end('01-say'), place(1, 'j01'));
    tell(progress, back(1, 'j01', 'success'));
    tell(progress, back(2, 'j02', 'exhausted'));
    tell(progress, { event: 'fanout_done', stage: '06-map', items: 3, concurrent: 2, cause: 'exhausted' });
    progress.close();
    expect(lines.map((line) => line.trimEnd())).toEqual([
      ' ▸ 06-map/j01 › 01-say',
      ' ▸ 06-map/j02 › 01-say',
      '     06-map/j02 › 01-say   round 1   schema   No.',
      ' ✓ 06-map/j01 › 01-say  2 rounds      0 ms   1.5k in    40 out  $0.004  say.md',
      ' ✓ 06-map/j01  1 stage       0 ms   1.5k in    40 out  $0.004  success',
      ' ✗ 06-map/j02  1 stage       0 ms                              exhausted',
      ' ◇ 06-map      1 of 3 items succeeded   exhausted',
    ]);
    expect([board.children.size, board.stages.size]).toEqual([0, 0]);
  });

  it('[I-3] two stages of one name in two child runs are two, and a repeat is told', () => {
    const progress = plainProgress(board, () => {}, telling());
    tell(progress, start('02-loop/01-a', 2));
    tell(progress, call(1));
    tell(progress, start('02-loop/01-a', 1), place(1));
    expect([...board.stages.values()].map(({ title, child }) => [child?.word ?? null, title])).toEqual([
      [null, '02-loop/01-a (2)'],
      [`${S}/1`, '02-loop/01-a (1)'],
    ]);
    progress.close();
  });

  it('[I-3] on a terminal child runs stand below their caller, and never in more lines than there are', () => {
    const look = { width: 20, columns: Infinity, now: 0, spinner: '*' };
    const names = (rows: number): string[] => runningTree(board, look, rows).map((line) => line.replace(/ {2,}(round|\d+ of).*$/, ''));
    const progress = plainProgress(board, () => {}, telling());
    tell(progress, start('04-look/cost'));
    tell(progress, start('04-look/risk'));
    tell(progress, call(1));
    tell(progress, START);
    tell(progress, start('01-say'), place(1));
    tell(progress, { ...call(1), stage: '01-say' }, place(1));
    tell(progress, start('deep'), `${place(1)}/stages/01-say/1/1/subflows/1`);
    expect(names(20)).toEqual([' ◇ 04-look', ' *   cost', ' *   risk', ' * 02-draft', ' *   1 job › 01-say', ' *     1 job › deep']);
    for (let n = 1; n <= 300; n += 1) tell(progress, call(n, `j${n}`));
    tell(progress, FANOUT);
    for (const rows of [1, 2, 5, 23]) expect(runningTree(board, look, rows)).toHaveLength(rows);
    expect(runningTree(board, look, 23).at(-1)).toMatch(/… \d+ more lines/);
    progress.close();
  });
});
