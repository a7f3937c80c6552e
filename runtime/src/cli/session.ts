import { createHash } from 'node:crypto';
import type { Command } from 'commander';
import type { StageView } from '@gated-flow/record';
import { parseSessionLine, sessionFile, splitLines } from '@gated-flow/record';
import { runFile } from '../record/read-run.js';
import { safeJson } from '../views/document.js';
import { sessionText } from '../views/session-text.js';
import type { CommandModule, Io } from './command.js';
import type { OpenRun } from '../record/find-run.js';
import type { Reader } from './reading.js';
import { DAMAGED, FOUND, NOTHING, withStages, withView } from './reading.js';
import { pickRepeat } from './repeat.js';

const EXAMPLES = `
Examples:
  flow session latest 02-draft             the conversation
  flow session latest 02-draft --repeat 3  its third time in a loop
  flow session latest 06-map/j01/01-say    a stage of a child run, as flow show prints it
  flow session latest 02-draft --json

Exit codes: 0 found, 1 nothing found, 2 misuse, 5 a session that was altered.`;

/** `flow session RUN STAGE [--repeat N]` (I-1). The conversation is streamed: its length does not matter. */
export const command: CommandModule = {
  build(command, io, done) {
    command
      .argument('<run>', 'the run: latest, its name or the beginning of it, or its folder')
      .argument('<stage>', 'the stage; of a child run: the child, a slash, the stage')
      .option('--repeat <n>', 'which pass of a loop; the last one when not said')
      .option('--json', 'one document')
      .addHelpText('after', EXAMPLES)
      .action(async (run: string, stage: string) => done(await session({ command, io, run, stage })));
  },
};

interface Asked {
  readonly command: Command;
  readonly io: Io;
  readonly run: string;
  readonly stage: string;
}

function session({ command, io, run: word, stage: name }: Asked): Promise<number> {
  const { json, repeat } = command.opts<{ json?: boolean; repeat?: string }>();
  return withView(command, io, word, (view, at, reader) =>
    withStages({ view, run: at }, name, reader, async ({ stages, run }) => {
      const picked = pickRepeat(stages, repeat, reader);
      if (typeof picked === 'number') return picked;
      const file = await runFile(run.folder, sessionFile(picked.stage, picked.repeat), reader.disk);
      if (file !== null) return json === true ? printDocument(file, picked, run, reader) : printText(file, picked, reader);
      reader.say(`${picked.stage} has no session: no model was asked.`);
      return NOTHING;
    }),
  );
}

async function printText(file: string, stage: StageView, reader: Reader): Promise<number> {
  const sum = createHash('sha256');
  for await (const line of splitLines(hashed(reader.disk.stream(file), sum))) {
    if (reader.io.outClosed.aborted) return FOUND;
    const entry = parseSessionLine(line);
    await reader.print(entry === null ? '── a line that is no entry of a session\n\n' : sessionText(reader.redactor.json(entry)));
  }
  return judge(sum.digest('hex'), stage, reader);
}

async function printDocument(file: string, stage: StageView, run: OpenRun, reader: Reader): Promise<number> {
  const { io, redactor } = reader;
  const sum = createHash('sha256');
  const head = JSON.stringify({ kind: 'flow.session', version: 1, run: run.name, stage: stage.stage, repeat: stage.repeat ?? 1 });
  await io.out(`${safeJson(redactor.text(head)).slice(0, -1)},"lines":[`);
  let between = '\n';
  for await (const line of splitLines(hashed(reader.disk.stream(file), sum))) {
    if (io.outClosed.aborted) return FOUND;
    const entry = parseSessionLine(line);
    if (entry === null) continue;
    await io.out(between + safeJson(JSON.stringify(redactor.json(entry))));
    between = ',\n';
  }
  await io.out('\n]}\n');
  return judge(sum.digest('hex'), stage, reader);
}

/** Compares with what the stage's end says of its session; a stage that has not ended says nothing yet. */
function judge(sha256: string, { stage, ending }: StageView, reader: Reader): number {
  if (ending?.session === undefined || ending.session.sha256 === sha256) return FOUND;
  reader.say(`The session of ${stage} was altered: its hash is not the one that the record says.`);
  return DAMAGED;
}

async function* hashed(chunks: AsyncIterable<Uint8Array>, sum: ReturnType<typeof createHash>): AsyncGenerator<Uint8Array> {
  for await (const chunk of chunks) {
    sum.update(chunk);
    yield chunk;
  }
}
