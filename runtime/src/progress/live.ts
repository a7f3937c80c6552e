/** Progress for a person at a terminal: what is running is painted anew, what has ended stays above it (I-3). */
import type { Clock } from '../ports/clock.js';
import type { Screen } from '../ports/screen.js';
import type { Board } from './board.js';
import { endedLine, runningLine, saidLine } from './lines.js';
import type { Progress, Telling } from './progress.js';

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
    screen.paint(
      running(board, clock, { spinner: FRAMES[frame % FRAMES.length] ?? '', nameWidth })
        .map((line) => cut(clean(line), screen.columns))
        .slice(-(screen.rows - 1)),
    );
  }

  return {
    line: (text) => screen.print([clean(text)]),
    started: paint,
    waiting: paint,
    said: paint,
    ended: (stage) => {
      screen.print([endedLine(stage, nameWidth), ...stage.said.map(saidLine)].map(clean));
      paint();
    },
    close() {
      cancel();
      screen.close();
    },
  };
}

function running(board: Board, clock: Clock, { spinner, nameWidth }: { spinner: string; nameWidth: number }): string[] {
  const now = clock.now();
  return [...board.stages.values()]
    .filter((stage) => !stage.ended)
    .flatMap((stage) => [runningLine(stage, { width: nameWidth, now, spinner }), ...stage.said.map(saidLine)]);
}

/** A painted line must not wrap, or the repaint would count wrong. */
function cut(line: string, columns: number): string {
  return [...line].slice(0, columns - 1).join('');
}
