import { resolve } from 'node:path';
import type { Command } from 'commander';
import type { RunView } from '@gated-flow/record';
import { writeTextFile } from '../io/text-file.js';
import { DiskError } from '../ports/disk.js';
import type { OpenRun } from '../record/find-run.js';
import { isAlive } from '../record/run-state.js';
import { chooseTargets, type ReportWords, type Target } from '../reports/choose.js';
import { type ReportRequest } from '../reports/formats.js';
import { repositoryOf } from '../reports/github/annotations.js';
import { resourceOf } from '../reports/otlp/resource.js';
import { partsOf } from '../reports/source.js';
import { openWords } from '../reports/words.js';
import { documentText } from '../views/document.js';
import { inBlocks } from '../views/blocks.js';
import type { CommandModule, Io } from './command.js';
import { DAMAGED, FOUND, MISUSE, type Reader, withView } from './reading.js';

const EXAMPLES = `
Formats:
  junit      JUnit XML: a suite for each stage, a case for each check in each round
  github     annotations, as workflow commands for the log of a job
  markdown   a summary for a pull request
  otlp       OpenTelemetry traces by the GenAI conventions, in JSON
  runlog     the run log that agentcontract validate judges, in JSON lines

Examples:
  flow report latest --format markdown
  flow report latest --format junit --output junit.xml
  flow report latest --format junit,markdown,otlp --output reports/
  flow report latest --format otlp --contents    with what was said, and what tools were given and answered

One format goes to standard output, or into the file or folder that --output names; several go into a folder.
Exit codes: 0 written, 1 no such run, 2 misuse, 5 a damaged or altered record, of which the rest was written.`;

interface Words extends ReportWords {
  readonly contents?: boolean;
  readonly json?: boolean;
}

/** `flow report RUN --format LIST` (I-1, R-10). */
export const command: CommandModule = {
  build(command, io, done) {
    command
      .argument('<run>', 'the run: latest, its name or the beginning of it, or its folder')
      .option('--format <list>', 'what to write, with commas between')
      .option('--output <path>', 'a file; for several formats, a folder')
      .option('--contents', 'in otlp also what was said and what tools were given and answered')
      .option('--json', 'with --output: one document that names the files')
      .addHelpText('after', EXAMPLES)
      .action(async (run: string) => done(await report(command, io, run)));
  },
};

async function report(command: Command, io: Io, word: string): Promise<number> {
  const { format, output, contents = false, json = false } = command.opts<Words>();
  return withView(command, io, word, async (view, run, reader) => {
    const isFolder = async (path: string): Promise<boolean> => (await reader.disk.look(resolve(io.cwd, path)))?.kind === 'folder';
    const chosen = await chooseTargets({ format, output, run: run.word, isFolder });
    if (!chosen.ok || (json && output === undefined)) {
      reader.say(chosen.ok ? '--json names the files that were written: say where with --output DIR.' : chosen.message);
      return MISUSE;
    }
    const broken = new Map<string, string>();
    const request = await requestOf({ view, run, contents }, reader, broken);
    for (const target of chosen.targets) if (!(await written(target, request, reader))) return MISUSE;
    if (json) await io.out(documentText(documentOf(run, chosen.targets, io), reader.redactor));
    return conclude(request, broken, reader);
  });
}

interface Asked {
  readonly view: RunView;
  readonly run: OpenRun;
  readonly contents: boolean;
}

async function requestOf({ view, run, contents }: Asked, reader: Reader, broken: Map<string, string>): Promise<ReportRequest> {
  const { io, disk, redactor } = reader;
  const source = { run, view, disk, redactor, alive: await isAlive(run.outermost, reader) };
  return {
    ...source,
    words: openWords(source),
    parts: () => partsOf(source, (child, state) => void broken.set(child, state)),
    repository: repositoryOf(io),
    resource: resourceOf(io.env, view.runtime.version),
    version: view.runtime.version,
    contents,
  };
}

/** Whether it could be written. Text is kept from commanding a job's log; the one format that is to command it goes out as bytes (I-7). */
async function written({ format, file }: Target, request: ReportRequest, reader: Reader): Promise<boolean> {
  const { io } = reader;
  if (file === null) {
    for await (const block of inBlocks(format.write(request))) {
      if (io.outClosed.aborted) break;
      await io.out(format.commands ? Buffer.from(block) : block);
    }
    return true;
  }
  try {
    await writeTextFile(resolve(io.cwd, file), inBlocks(format.write(request)));
    return true;
  } catch (error) {
    if (!(error instanceof DiskError)) throw error;
    reader.say(`The report cannot be written to ${file}: ${error.code}.`);
    return false;
  }
}

/** What `--json` prints. Paths are absolute. */
function documentOf(run: OpenRun, targets: readonly Target[], io: Io): object {
  const files = targets.map(({ format, file }) => ({ format: format.name, path: resolve(io.cwd, file ?? '') }));
  return { kind: 'flow.report', version: 1, run: run.name, files };
}

function conclude({ words, run }: ReportRequest, broken: ReadonlyMap<string, string>, reader: Reader): number {
  for (const [child, state] of broken) reader.say(`The child run ${child} is ${state}: what happened in it is not in the report.`);
  if (words.altered() > 0) reader.say(`Captures that are missing or were altered: ${words.altered()}. flow verify ${run.word} names them.`);
  return broken.size === 0 && words.altered() === 0 ? FOUND : DAMAGED;
}
