import type { Command } from 'commander';
import type { RunView } from '@gated-flow/record';
import type { JudgeRow } from '../views/checks.js';
import { judgeRows, judgeSummary, judgeText } from '../views/checks.js';
import { safeJson } from '../views/document.js';
import type { CommandModule, Io } from './command.js';
import { type ChildPorts, readChild } from '../record/child-run.js';
import type { OpenRun } from '../record/find-run.js';
import type { Reader } from './reading.js';
import { type At, childPorts, DAMAGED, FOUND, NOTHING, withChild, withView } from './reading.js';

const EXAMPLES = `
Examples:
  flow checks latest           every check and hook, and what it said
  flow checks latest --json

Exit codes: 0 found, 1 nothing was judged, 2 misuse, 5 a damaged record or an altered capture.`;

/** `flow checks RUN` (R-10, I-1). */
export const command: CommandModule = {
  build(command, io, done) {
    command
      .argument('<run>', 'the run: latest, its name or the beginning of it, or its folder')
      .argument('[child]', 'a child run of it')
      .option('--json', 'one document')
      .addHelpText('after', EXAMPLES)
      .action(async (word: string, child: string | undefined) => done(await checks(command, io, { word, child })));
  },
};

function checks(command: Command, io: Io, { word, child }: { readonly word: string; readonly child: string | undefined }): Promise<number> {
  const { json } = command.opts<{ json?: boolean }>();
  return withView(command, io, word, (whole, outer, reader) =>
    withChild({ view: whole, run: outer }, child, reader, async ({ view, run }) => {
      const count = { passed: 0, failed: 0, altered: 0 };
      const rows = counting(allRows({ view, run }, await childPorts(run, reader), reader), count);
      if (json === true) await printDocument(rows, view, reader);
      else for await (const row of rows) await reader.print(judgeText(row));
      return conclude(count, run, reader, json === true);
    }),
  );
}

/** Those of the run, then those of its child runs, one of which is read at a time. */
async function* allRows({ view, run }: At, ports: ChildPorts, reader: Reader): AsyncGenerator<JudgeRow> {
  const child = run.within.length === 0 ? {} : { child: run.within.join('/') };
  for await (const row of judgeRows(view, { ...reader, folder: run.folder })) yield { ...child, ...row };
  for (const call of view.subflows) {
    const below = await readChild(run, call, ports);
    if (below.view !== null) yield* allRows({ view: below.view, run: below.run }, ports, reader);
  }
}

interface Count {
  passed: number;
  failed: number;
  altered: number;
}

async function* counting(rows: AsyncIterable<JudgeRow>, count: Count): AsyncGenerator<JudgeRow> {
  for await (const row of rows) {
    if (row.passed) count.passed += 1;
    else count.failed += 1;
    if (!row.intact) count.altered += 1;
    yield row;
  }
}

/** The document is streamed: captures together may be larger than memory. */
async function printDocument(rows: AsyncIterable<JudgeRow>, view: RunView, { io, redactor }: Reader): Promise<void> {
  const head = JSON.stringify(redactor.json({ kind: 'flow.checks', version: 1, run: view.run }));
  await io.out(`${safeJson(head).slice(0, -1)},"checks":[`);
  let between = '\n';
  for await (const row of rows) {
    if (io.outClosed.aborted) return;
    await io.out(between + safeJson(JSON.stringify(redactor.json(row))));
    between = ',\n';
  }
  await io.out('\n]}\n');
}

async function conclude({ passed, failed, altered }: Count, run: OpenRun, reader: Reader, json: boolean): Promise<number> {
  if (passed + failed === 0) {
    reader.say(`Nothing was judged in ${run.name}.`);
    return NOTHING;
  }
  if (!json) await reader.print(judgeSummary(passed, failed));
  if (altered === 0) return FOUND;
  reader.say(`${altered} of the captures are not what the record says. flow verify ${run.word} names them.`);
  return DAMAGED;
}
