/** What watching says of itself: plain lines on standard error. */
import { counted, escapeControls, escapeName, type Redactor } from '@gated-flow/text';
import type { Preparation } from '../../plan/prepare.js';
import type { Clock } from '../../ports/clock.js';
import type { Change } from '../../watch/contents.js';
import type { WatchTelling } from '../../watch/watch.js';
import { planText } from '../check/text.js';
import { paint } from '../color.js';
import type { Io } from '../command.js';
import { refusalText } from '../refusals.js';

export interface Telling {
  readonly io: Io;
  readonly redactor: Redactor;
  readonly clock: Pick<Clock, 'now'>;
  readonly modelNeeded: boolean;
  /** What changes runs too: what is sound needs no words of its own, and no frame of the screen is thrown away. */
  readonly runs: boolean;
  /** Called with each preparation, before it is told. */
  readonly seen: (preparation: Preparation) => void;
}

/** Changes told one by one; a checkout of a thousand files is not. */
const CHANGES_TOLD = 8;
const CLEAR = '\u001b[H\u001b[2J';

export function tellWatching({ io, redactor, clock, modelNeeded, runs, seen }: Telling): WatchTelling & { say(line: string): void } {
  const { bold, dim } = paint(io.errColor);
  const clean = (text: string): string => escapeControls(redactor.text(text));
  const say = (line: string): void => io.err(`${clean(line)}\n`);
  const clears = !runs && io.outIsTerminal && io.errLive;
  let printed = '';
  return {
    say,
    changed(changes) {
      if (clears) io.err(CLEAR);
      const lines = changes.slice(0, CHANGES_TOLD).map((change) => `  ${clean(changeLine(change))}`);
      const more = changes.length - lines.length;
      const left = more > 0 ? [`  … and ${counted(more, 'more change')}`] : [];
      io.err(`${[`${dim(timeOf(clock.now()))}  ${bold(counted(changes.length, 'change'))}`, ...lines, ...left].join('\n')}\n`);
    },
    async checked(preparation) {
      seen(preparation);
      const style = { redactor, color: io.outColor, width: io.width };
      if (!preparation.ok) {
        printed = '';
        if (runs) io.err(refusalText(preparation.refusals, { ...style, color: io.errColor }));
        else await io.out(refusalText(preparation.refusals, style));
        return;
      }
      const text = planText(preparation.plan, { style, modelNeeded });
      if (text === printed && !clears) say('Sound. The plan is what it was.');
      else await io.out(text);
      printed = text;
    },
    untouched: () => say('Nothing that shapes the run has changed: what it did still stands.'),
    stopping: ({ step }, now) =>
      say(
        now
          ? `${escapeName(step)} is another now: the run is stopped, and goes on from there.`
          : `${escapeName(step)} is another now: the run is stopped when it gets there, and goes on from there.`,
      ),
    waiting: () => io.err(`${dim(`${timeOf(clock.now())}  Watching. Ctrl-C ends it.`)}\n`),
  };
}

function changeLine({ change, path, from }: Change): string {
  const name = escapeName(path);
  switch (change) {
    case 'renamed':
      return `renamed   ${escapeName(from ?? '')} → ${name}`;
    case 'mode':
      return `mode      ${name}`;
    default:
      return `${change.padEnd(8)}  ${name}`;
  }
}

/** The hour of the place: `14:03:09`. */
function timeOf(now: number): string {
  return new Date(now).toTimeString().slice(0, 8);
}
