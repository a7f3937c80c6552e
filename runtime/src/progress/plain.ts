/** Progress for a log: a line for each start, round and end, and a sign of life every half minute (I-3). */
import { type Board, newestSaid, pathOf, type StageBoard } from './board.js';
import { endedLine, fannedOutLine, heartbeatLine, returnedLine, saidLine } from './lines.js';
import type { Progress, Telling } from './progress.js';

const HEARTBEAT_MS = 30_000;

export function plainProgress(board: Board, write: (text: string) => void, { clock, clean, nameWidth }: Telling): Progress {
  const say = (line: string): void => write(`${clean(line)}\n`);
  let cancel = clock.after(HEARTBEAT_MS, beat);

  function beat(): void {
    const now = clock.now();
    for (const stage of board.stages.values()) if (!stage.ended) say(heartbeatLine(stage, now));
    cancel = clock.after(HEARTBEAT_MS, beat);
  }

  /** Where others are at work too, a line says whose it is. */
  function ofStage(stage: StageBoard, line: string): void {
    const alone = stage.child === null && [...board.stages.values()].filter(({ ended }) => !ended).length < 2;
    say(saidLine(alone ? line : `${pathOf(stage)}   ${line}`));
  }

  return {
    line: say,
    started: (stage) => say(` ▸ ${pathOf(stage)}`),
    waiting: (stage) => ofStage(stage, stage.doing),
    said: (stage) => ofStage(stage, newestSaid(stage)),
    ended: (stage) => say(endedLine(stage, nameWidth)),
    returned: (child) => say(returnedLine(child, nameWidth)),
    fannedOut: (fanout, cause) => say(fannedOutLine(fanout, cause, nameWidth)),
    close: () => cancel(),
  };
}
