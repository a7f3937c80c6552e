import type { Command } from 'commander';
import { type Cancelled, cancelRun } from '../cancel/cancel.js';
import { interrupt } from '../io/interrupt.js';
import { documentText } from '../views/document.js';
import { duration } from '../views/figures.js';
import type { CommandModule, Io } from './command.js';
import { countingNumber, MISUSE, withRun } from './reading.js';

const EXAMPLES = `
The run is told what Ctrl-C tells it: it stops what it started, writes its end, and its record says signal. This command
waits for that.

Examples:
  flow cancel latest
  flow cancel 2026-11-30T12 --json

Exit codes: 0 it ended by this, 1 it was not running or has not ended, 2 misuse.`;

/** A run is over within 10 s of a signal (E-2). */
const WAIT_SECONDS = 15;

/** `flow cancel RUN` (I-1, E-2). */
export const command: CommandModule = {
  build(command, io, done) {
    command
      .argument('<run>', 'the run: latest, its name or the beginning of it, or its folder')
      .option('--wait <seconds>', 'how long to wait for its end', String(WAIT_SECONDS))
      .option('--json', 'one document')
      .addHelpText('after', EXAMPLES)
      .action(async (run: string) => done(await cancel(command, io, run)));
  },
};

function cancel(command: Command, io: Io, word: string): Promise<number> {
  const { json, wait } = command.opts<{ json?: boolean; wait: string }>();
  return withRun(command, io, word, async (run, reader) => {
    const seconds = countingNumber(wait);
    if (seconds === null) {
      reader.say(`--wait wants a whole number of seconds from 1, not ${JSON.stringify(wait)}.`);
      return MISUSE;
    }
    if (run.outermost !== run.folder) {
      reader.say(`${run.word} is a run inside a run, and ends with it: flow cancel ${run.outermost}`);
      return MISUSE;
    }
    const cancelled = await cancelRun(run.folder, seconds * 1000, { ...reader, interrupt });
    const done = cancelled.cancelled === 'ended' && cancelled.cause === 'signal';
    if (json === true) {
      const { cancelled: state, ...facts } = cancelled;
      await io.out(documentText({ kind: 'flow.cancel', version: 1, run: run.name, cancelled: done, state, ...facts }, reader.redactor));
    } else if (done) await reader.print(sentence(run.name, cancelled));
    else reader.say(sentence(run.name, cancelled).trimEnd());
    return done ? 0 : 1;
  });
}

function sentence(run: string, cancelled: Cancelled): string {
  switch (cancelled.cancelled) {
    case 'ended':
      return cancelled.cause === 'signal'
        ? `${run} ended as signal after ${duration(cancelled.ms)}.\n  flow show ${run}     what it had done\n  flow resume ${run}   go on with it\n`
        : `${run} had just ended by itself, as ${cancelled.cause}: nothing was cancelled.\n`;
    case 'not-running':
      return cancelled.cause === null
        ? `${run} is not running: it died without an end. flow resume ${run} goes on with it.\n`
        : `${run} is not running: it ended as ${cancelled.cause}.\n`;
    case 'died':
      return `${run} died before its record had an end. flow resume ${run} goes on with it.\n`;
    case 'waiting':
      return `${run} was told to end and has not after ${duration(cancelled.ms)} (process ${cancelled.pid}). flow events ${run} --follow shows what it does.\n`;
    case 'elsewhere':
      return cancelled.where === 'machine'
        ? `${run} runs on another machine that shares this home. Cancel it there.\n`
        : `${run} runs in another container that shares this home. Cancel it inside.\n`;
    case 'unsure':
      return `This system does not tell whether process ${cancelled.pid} is still the run's: nothing was sent. If it is: kill -INT ${cancelled.pid}\n`;
    case 'refused':
      return `${run} belongs to another user (process ${cancelled.pid}): only they can cancel it.\n`;
  }
}
