/** Progress for a log: a line for each start, round and end, and a sign of life every half minute (I-3). */
import { type Board, newestSaid } from './board.js';
import { endedLine, heartbeatLine, saidLine } from './lines.js';
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

  return {
    line: say,
    started: (stage) => say(` ▸ ${stage.title}`),
    waiting: (stage) => say(saidLine(stage.doing)),
    said: (stage) => say(saidLine(newestSaid(stage))),
    ended: (stage) => say(endedLine(stage, nameWidth)),
    close: () => cancel(),
  };
}
