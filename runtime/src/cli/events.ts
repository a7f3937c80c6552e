import { join } from 'node:path';
import type { Command } from 'commander';
import { RECORD, readRecord } from '@gated-flow/record';
import type { RecordLine, RecordStream } from '@gated-flow/record';
import { escapeName } from '@gated-flow/text';
import { watchFile } from '../io/watch-file.js';
import { isAlive } from '../record/run-state.js';
import { safeJson } from '../views/document.js';
import { eventLine } from '../views/event-line.js';
import type { CommandModule, Io } from './command.js';
import type { OpenRun } from '../record/find-run.js';
import type { Reader } from './reading.js';
import { DAMAGED, FOUND, NOTHING, sayDamage, withRun } from './reading.js';

const EXAMPLES = `
Examples:
  flow events latest                      one line an event
  flow events latest --follow             until the run ends
  flow events latest --jsonl | jq .event  the record's own lines

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
      .addHelpText('after', EXAMPLES)
      .action(async (run: string) => done(await events(command, io, run)));
  },
};

function events(command: Command, io: Io, word: string): Promise<number> {
  const { follow, jsonl } = command.opts<{ follow?: boolean; jsonl?: boolean }>();
  return withRun(command, io, word, async (run, reader) => {
    const spell = jsonl === true ? jsonLine : textLine;
    const { record, close } = follow === true ? followed(run, reader) : { record: readRecord(join(run.folder, RECORD)), close: null };
    for await (const lines of record.pieces) {
      if (io.outClosed.aborted) break;
      await io.out(lines.map((line) => spell(line, reader)).join(''));
    }
    await close?.();
    if (io.outClosed.aborted) return FOUND;
    const reading = record.reading();
    if (sayDamage(reading, run, reader)) return DAMAGED;
    if (reading.lines === 0) reader.say(`The record of ${run.name} holds no event yet.`);
    else if (follow === true && reading.state === 'incomplete' && !io.outClosed.aborted)
      reader.say(`${run.name} crashed: its record has no end.`);
    return reading.lines === 0 ? NOTHING : FOUND;
  });
}

/** Reads on at the end of the file until `run_end` is read, the run is dead or nobody reads any more. What a dying run wrote last is read too. */
function followed(run: OpenRun, reader: Reader): { readonly record: RecordStream; close(): Promise<void> } {
  const file = join(run.folder, RECORD);
  const watch = watchFile(file);
  let dead = false;
  const record = readRecord(file, {
    atEnd: async () => {
      if (dead || reader.io.outClosed.aborted || record.reading().state === 'valid') return false;
      const changed = watch.changed();
      dead = !(await isAlive(run.folder, reader));
      if (!dead) await Promise.race([changed, reader.clock.sleep(LOOK_MS, reader.io.outClosed)]);
      return true;
    },
  });
  return { record, close: () => watch.close() };
}

/** The line as it stands; one that holds a secret is spelled anew without it. */
function jsonLine({ bytes }: RecordLine, { redactor }: Reader): string {
  const line = bytes.toString();
  const clean = redactor.text(line) === line ? line : JSON.stringify(redactor.json(JSON.parse(line)));
  return `${safeJson(clean)}\n`;
}

function textLine({ bytes }: RecordLine, { redactor }: Reader): string {
  const event: unknown = redactor.json(JSON.parse(bytes.toString()));
  return typeof event === 'object' && event !== null ? `${escapeName(eventLine({ ...event }))}\n` : '';
}
