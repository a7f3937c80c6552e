import { join } from 'node:path';
import type { Command } from 'commander';
import type { ContainerNode, RunView, StageView } from '@gated-flow/record';
import { attemptFolder } from '@gated-flow/record';
import type { CommandModule, Io } from './command.js';
import { printFile } from './bytes.js';
import type { OpenRun } from '../record/find-run.js';
import type { Reader } from './reading.js';
import { MISUSE, NOTHING, countingNumber, withPlace, withView } from './reading.js';
import { pickRepeat } from './repeat.js';

const EXAMPLES = `
Examples:
  flow output latest                                  the output of the run
  flow output latest 02-draft                         the sealed output of a stage
  flow output latest 06-map/j01                       the output of a child run
  flow output latest 02-draft --attempt 1 --withheld  a candidate that did not pass

The bytes are printed as they are. On a terminal control characters are shown escaped.
Exit codes: 0 found, 1 nothing found, 2 misuse, 5 an output that was altered.`;

interface Words {
  readonly attempt?: string;
  readonly repeat?: string;
  readonly withheld?: boolean;
}

/** `flow output RUN [STAGE] [--attempt N]` (I-1, E-3). */
export const command: CommandModule = {
  build(command, io, done) {
    command
      .argument('<run>', 'the run: latest, its name or the beginning of it, or its folder')
      .argument('[stage]', 'one stage of it, or a child run')
      .option('--attempt <n>', 'which round of the stage')
      .option('--repeat <n>', 'which pass of a loop; the last one when not said')
      .option('--withheld', 'also what did not pass')
      .addHelpText('after', EXAMPLES)
      .action(async (run: string, stage: string | undefined) => done(await output({ command, io, run, stage })));
  },
};

interface Asked {
  readonly command: Command;
  readonly io: Io;
  readonly run: string;
  readonly stage: string | undefined;
}

function output({ command, io, run: word, stage: name }: Asked): Promise<number> {
  const words = command.opts<Words>();
  return withView(command, io, word, (view, run, reader) => {
    if (name === undefined) return words.attempt === undefined ? printRun(view, words, run, reader) : stageMissing(reader);
    return withPlace({ view, run }, name, reader, (place) => {
      if (place.place === 'run') return words.attempt === undefined ? printRun(place.view, words, place.run, reader) : stageMissing(reader);
      if (place.place === 'container') return noOutput(place.node, run, reader);
      const picked = pickRepeat(place.stages, words.repeat, reader);
      return typeof picked === 'number' ? Promise.resolve(picked) : printStage(picked, words, place.run, reader);
    });
  });
}

async function stageMissing(reader: Reader): Promise<number> {
  reader.say('--attempt is about one stage: name it after the run.');
  return MISUSE;
}

async function noOutput({ path, type }: ContainerNode, run: OpenRun, reader: Reader): Promise<number> {
  reader.say(`${path} is a ${type ?? 'container'}: its stages have outputs. flow show ${run.word} ${path} lists them.`);
  return NOTHING;
}

/** The output of a run is that of its last sealed stage, once the run has succeeded. What was withheld last is asked for by --withheld (E-3). */
async function printRun(view: RunView, words: Words, run: OpenRun, reader: Reader): Promise<number> {
  const last = view.stages.findLast(({ ending }) => ending?.sealed === true && ending.output !== undefined)?.ending?.output;
  if (view.ending?.cause === 'success' && last !== undefined) return printFile(last, run, reader);
  const held = view.stages.findLast(({ ending }) => ending?.sealed === false && ending.output !== undefined);
  if (held && words.withheld === true) return printStage(held, words, run, reader);
  const why = view.ending === null ? 'has not ended' : `ended as ${view.ending.cause}`;
  const more = held
    ? `flow output ${run.word} ${held.stage} --withheld prints the one that did not pass.`
    : `flow output ${run.word} STAGE prints what a stage sealed.`;
  reader.say(`${run.name} has no output: it ${why}. ${more}`);
  return NOTHING;
}

async function printStage(stage: StageView, words: Words, run: OpenRun, reader: Reader): Promise<number> {
  const { ending } = stage;
  const attempt = words.attempt === undefined ? null : countingNumber(words.attempt);
  if (words.attempt !== undefined && attempt === null) {
    reader.say(`--attempt wants a whole number from 1, not ${JSON.stringify(words.attempt)}.`);
    return MISUSE;
  }
  const passed =
    ending?.sealed === true && ending.output !== undefined && (attempt === null || attempt === ending.attempts) ? ending.output : null;
  if (passed !== null) return printFile(passed, run, reader);
  const wanted = attempt ?? stage.rounds.at(-1)?.round ?? 1;
  const path = await candidate(stage, wanted, run, reader);
  if (path === null) {
    reader.say(`Round ${wanted} of ${stage.stage} left no output.`);
    return NOTHING;
  }
  if (words.withheld === true) return printFile({ path, sha256: ending?.output?.path === path ? ending.output.sha256 : null }, run, reader);
  reader.say(`Round ${wanted} of ${stage.stage} did not pass: its output is withheld. --withheld prints it all the same.`);
  return NOTHING;
}

/** The output file of a round, whatever its extension. */
async function candidate({ stage, repeat }: StageView, attempt: number, run: OpenRun, { disk }: Reader): Promise<string | null> {
  const folder = attemptFolder(stage, repeat, attempt);
  if ((await disk.look(join(run.folder, folder)))?.kind !== 'folder') return null;
  const name = (await disk.list(join(run.folder, folder))).find((one) => /^output\.[^.]+$/.test(one));
  return name === undefined ? null : `${folder}/${name}`;
}
