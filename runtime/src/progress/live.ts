/** Progress for a person at a terminal: what is running is painted anew, what has ended stays above it (I-3). */
import type { Screen } from '../ports/screen.js';
import type { Board } from './board.js';
import { endedLine, fannedOutLine, returnedLine, saidLine } from './lines.js';
import type { Progress, Telling } from './progress.js';
import { runningTree } from './tree.js';

const FRAMES = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏'];
const FRAME_MS = 120;

export function liveProgress(board: Board, screen: Screen, { clock, clean, nameWidth }: Telling): Progress {
  let frame = 0;
  let cancel = next();

  function next(): () => void {
    return clock.after(FRAME_MS, () => {
      frame += 1;
      paint();
      cancel = next();
    });
  }

  function paint(): void {
    const look = { width: nameWidth, columns: screen.columns - 1, now: clock.now(), spinner: FRAMES[frame % FRAMES.length] ?? '' };
    screen.paint(runningTree(board, look, screen.rows - 1).map((line) => cut(clean(line), screen.columns)));
  }

  function keep(lines: readonly string[]): void {
    screen.print(lines.map(clean));
  }

  return {
    line: (text) => keep([text]),
    started: paint,
    waiting: paint,
    said: paint,
    // Of child runs only what went wrong stays line by line: there may be a thousand.
    ended: (stage) => {
      if (stage.child === null || stage.ended?.cause !== 'success')
        keep([endedLine(stage, nameWidth, screen.columns), ...stage.said.map(saidLine)]);
      paint();
    },
    returned: (child) => {
      if (child.item === null || child.ended?.cause !== 'success') keep([returnedLine(child, nameWidth, screen.columns)]);
      paint();
    },
    fannedOut: (fanout, cause) => {
      keep([fannedOutLine(fanout, cause, nameWidth)]);
      paint();
    },
    close() {
      cancel();
      screen.close();
    },
  };
}

/** A painted line must not wrap, or the repaint would count wrong. */
function cut(line: string, columns: number): string {
  return [...line].slice(0, columns - 1).join('');
}
