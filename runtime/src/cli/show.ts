import type { Command } from 'commander';
import type { RunView } from '@gated-flow/record';
import { runState } from '../record/run-state.js';
import { inBlocks } from '../views/blocks.js';
import { documentText } from '../views/document.js';
import { saidLine, saidText } from '../views/said.js';
import { showText } from '../views/show-text.js';
import { stageText } from '../views/stage-text.js';
import type { CommandModule, Io } from './command.js';
import type { OpenRun } from '../record/find-run.js';
import type { Reader } from './reading.js';
import { FOUND, withStages, withView } from './reading.js';

const EXAMPLES = `
RUN is a name, the beginning of one, latest, or the path of a run's folder.

Examples:
  flow show latest             stage by stage, and what each check said
  flow show latest 02-draft    one stage, round by round
  flow show ./copied-run --json

Exit codes: 0 found, 1 nothing found, 2 misuse, 5 a damaged or altered record.`;

const TERMINAL_BYTES = 2048;

/** `flow show RUN [STAGE]` (R-10, I-1). */
export const command: CommandModule = {
  build(command, io, done) {
    command
      .argument('<run>', 'the run: latest, its name or the beginning of it, or its folder')
      .argument('[stage]', 'one stage of it')
      .option('--json', 'one document')
      .addHelpText('after', EXAMPLES)
      .action(async (run: string, stage: string | undefined) => done(await show({ command, io, run, stage })));
  },
};

interface Asked {
  readonly command: Command;
  readonly io: Io;
  readonly run: string;
  readonly stage: string | undefined;
}

function show({ command, io, run: word, stage }: Asked): Promise<number> {
  const { json } = command.opts<{ json?: boolean }>();
  return withView(command, io, word, async (view, run, reader) => {
    if (stage === undefined) return showRun(view, run, reader, json === true);
    return withStages(view, stage, reader, async (stages) => {
      if (json === true) return showRun({ ...view, stages }, run, reader, true);
      for (const one of stages) for await (const text of inBlocks(stageText(one, captured(run, reader)))) await reader.print(text);
      return FOUND;
    });
  });
}

async function showRun(view: RunView, run: OpenRun, reader: Reader, json: boolean): Promise<number> {
  const state = await runState(run.folder, view.ending?.cause ?? null, reader);
  if (json) {
    await reader.io.out(documentText({ kind: 'flow.show', version: 1, folder: run.folder, state, ...view }, reader.redactor));
    return FOUND;
  }
  const said = (path: string) => saidLine(path, { ...reader, folder: run.folder });
  for await (const text of inBlocks(showText(view, { run: run.word, state, said }))) await reader.print(text);
  return FOUND;
}

function captured(run: OpenRun, reader: Reader): (path: string) => Promise<string | null> {
  return async (path) => (await saidText(path, TERMINAL_BYTES, { ...reader, folder: run.folder }))?.text ?? null;
}
