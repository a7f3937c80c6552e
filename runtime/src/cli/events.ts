import { join } from 'node:path';
import type { Command } from 'commander';
import { RECORD, type RecordLine } from '@gated-flow/record';
import { escapeName } from '@gated-flow/text';
import { watchFile } from '../io/watch-file.js';
import { type LinesOf, readLines, type RunReading } from '../record/run-lines.js';
import { isAlive } from '../record/run-state.js';
import { safeJson } from '../views/document.js';
import { eventLine } from '../views/event-line.js';
import type { CommandModule, Io } from './command.js';
import type { OpenRun } from '../record/find-run.js';
import { emptyRecord } from '../record/reading-sentence.js';
import type { Reader } from './reading.js';
import { DAMAGED, FOUND, NOTHING, sayDamage, withRun } from './reading.js';

const EXAMPLES = `
Examples:
  flow events latest                      one line an event
  flow events latest --follow             until the run ends
  flow events latest --jsonl | jq .event  as JSON lines
  flow events latest --jsonl --own        the run's own record, byte for byte

The events of a child run stand where it began. As text they name it: 06-map/j01 › 01-say. As a JSON line
they begin with "place", its folder in the run's; without that field it is the line as it stands in the record.

Exit codes: 0 found, 1 nothing found, 2 misuse, 5 a damaged or altered record.`;

/** Between two looks at whether the run still lives, when its record is silent. */
const LOOK_MS = 500;

/** `flow events RUN [--follow] [--jsonl]` (I-1, I-2). */
export const command: CommandModule = {
  build(command, io, done) {
    command
      .argument('<run>', 'the run: latest, its name or the beginning of it, or its folder')
      .option('--follow', 'go on until the run ends')
      .option('--jsonl', "the record's lines, as a stream")
      .option('--own', 'without the child runs')
      .addHelpText('after', EXAMPLES)
      .action(async (run: string) => done(await events(command, io, run)));
  },
};

interface Words {
  readonly follow?: boolean;
  readonly jsonl?: boolean;
  readonly own?: boolean;
}

function events(command: Command, io: Io, word: string): Promise<number> {
  const { follow = false, jsonl = false, own = false } = command.opts<Words>();
  return withRun(command, io, word, async (run, reader) => {
    const spell = jsonl ? jsonLine : textLine;
    const record = await readLines(run, reader, own);
    const print = async (): Promise<void> => {
      for await (const { lines, ...of } of record.more()) {
        if (io.outClosed.aborted) return;
        await io.out(lines.map((line) => spell(line, of, reader)).join(''));
      }
    };
    await (follow ? followed(print, record, run, reader) : print());
    await record.close();
    if (io.outClosed.aborted) return FOUND;
    return conclude(record, { run, follow }, reader);
  });
}

async function conclude(record: RunReading, { run, follow }: { run: OpenRun; follow: boolean }, reader: Reader): Promise<number> {
  const reading = record.reading();
  if (sayDamage(reading, run, reader)) return DAMAGED;
  for (const place of record.damaged)
    reader.say(`The record of the child run ${place} is damaged or was altered. flow verify ${run.word} says where.`);
  if (record.damaged.length > 0) return DAMAGED;
  if (reading.lines === 0) reader.say(emptyRecord(run));
  else if (follow && reading.state === 'incomplete') reader.say(`${run.name} crashed: its record has no end.`);
  sayMissing(record.missing, reader);
  return reading.lines === 0 ? NOTHING : FOUND;
}

function sayMissing(missing: readonly string[], reader: Reader): void {
  const [first, ...others] = missing;
  if (first === undefined) return;
  const more = others.length === 0 ? '' : ` Nor have ${others.length} more.`;
  reader.say(`The child run ${first} has no record here: what happened in it is not told.${more}`);
}

/** Prints on until `run_end` is read, the run is dead or nobody reads any more. What a dying run wrote last is printed too. */
async function followed(print: () => Promise<void>, record: RunReading, run: OpenRun, reader: Reader): Promise<void> {
  const watch = watchFile(join(run.folder, RECORD));
  let dead = false;
  for (;;) {
    const changed = watch.changed();
    await print();
    if (dead || reader.io.outClosed.aborted || record.reading().state !== 'incomplete') break;
    dead = !(await isAlive(run.outermost, reader));
    if (!dead) await Promise.race([changed, reader.clock.sleep(LOOK_MS, reader.io.outClosed)]);
  }
  await watch.close();
}

/** The line as it stands; one that holds a secret is spelled anew without it. A child's begins with its place. */
function jsonLine({ bytes }: RecordLine, { place }: LinesOf, { redactor }: Reader): string {
  const line = bytes.toString();
  const clean = redactor.text(line) === line ? line : JSON.stringify(redactor.json(JSON.parse(line)));
  return `${safeJson(place === null ? clean : `{"place":${JSON.stringify(place)},${clean.slice(1)}`)}\n`;
}

function textLine({ bytes }: RecordLine, { words }: LinesOf, { redactor }: Reader): string {
  const event: unknown = redactor.json(JSON.parse(bytes.toString()));
  return typeof event === 'object' && event !== null ? `${escapeName(eventLine({ ...event }, words))}\n` : '';
}
