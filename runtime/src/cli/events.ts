import { join } from 'node:path';
import type { Command } from 'commander';
import { RECORD, readRecord } from '@gated-flow/record';
import type { RecordLine, RecordStream } from '@gated-flow/record';
import { escapeName } from '@gated-flow/text';
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

const POLL_MS = 150;

/** `flow events RUN [--follow] [--jsonl]` (I-1, I-2). */
export const command: CommandModule = {
  build(command, io, done) {
    command
      .argument('<run>', 'the run')
      .option('--follow', 'go on until the run ends')
      .option('--jsonl', "the record's lines, as a stream")
      .addHelpText('after', EXAMPLES)
      .action(async (run: string) => done(await events(command, io, run)));
  },
};

function events(command: Command, io: Io, word: string): Promise<number> {
  const { follow, jsonl } = command.opts<{ follow?: boolean; jsonl?: boolean }>();
  return withRun(command, io, word, async (run, reader) => {
    const record = follow === true ? followed(run, reader) : readRecord(join(run.folder, RECORD));
    for await (const lines of record.pieces) {
      if (io.outClosed.aborted) return FOUND;
      await io.out(lines.map((line) => (jsonl === true ? jsonLine(line, reader) : textLine(line, reader))).join(''));
    }
    const reading = record.reading();
    if (sayDamage(reading, run, reader)) return DAMAGED;
    if (reading.lines === 0) reader.say(`The record of ${run.name} holds no event yet.`);
    else if (follow === true && reading.state === 'incomplete' && !io.outClosed.aborted)
      reader.say(`${run.name} crashed: its record has no end.`);
    return reading.lines === 0 ? NOTHING : FOUND;
  });
}

/** Reads on at the end of the file until `run_end` is read, the run is dead or nobody reads any more. What a dying run wrote last is read too. */
function followed(run: OpenRun, reader: Reader): RecordStream {
  let dead = false;
  const record = readRecord(join(run.folder, RECORD), {
    atEnd: async () => {
      if (dead || reader.io.outClosed.aborted || record.reading().state === 'valid') return false;
      dead = !(await isAlive(run.folder, reader));
      if (!dead) await reader.clock.sleep(POLL_MS, reader.io.outClosed);
      return true;
    },
  });
  return record;
}

function jsonLine({ bytes }: RecordLine, { redactor }: Reader): string {
  return `${safeJson(redactor.text(bytes.toString()))}\n`;
}

function textLine({ bytes }: RecordLine, { redactor }: Reader): string {
  const event: unknown = redactor.json(JSON.parse(bytes.toString()));
  return typeof event === 'object' && event !== null ? `${escapeName(eventLine({ ...event }))}\n` : '';
}
