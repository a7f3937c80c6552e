import type { Command } from 'commander';
import { createBriefly, type RunView, type SubflowView } from '@gated-flow/record';
import { readChild, tallyChildren } from '../record/child-run.js';
import type { Place } from '../record/find-place.js';
import type { OpenRun } from '../record/find-run.js';
import { inBlocks } from '../views/blocks.js';
import { saidLine, saidText } from '../views/said.js';
import { partText, type Shown, showText } from '../views/show-text.js';
import { stageText } from '../views/stage-text.js';
import { childText } from '../views/tree-text.js';
import type { CommandModule, Io } from './command.js';
import type { Reader } from './reading.js';
import { childPorts, FOUND, useView, withPlace, withRun } from './reading.js';
import { printDocument, stateOf } from './show/document.js';

const EXAMPLES = `
RUN is a name, the beginning of one, latest, or the path of a run's folder.

Examples:
  flow show latest             stage by stage, and what each check said
  flow show latest 02-draft    one stage, round by round
  flow show latest 06-map/j01  the child run of an item; 06-map/j01/01-say is a stage of it
  flow show latest --all       every child run with its stages, also of many that succeeded
  flow show ./copied-run --json

Exit codes: 0 found, 1 nothing found, 2 misuse, 5 a damaged or altered record.`;

const TERMINAL_BYTES = 2048;

/** `flow show RUN [STAGE]` (R-10, I-1). */
export const command: CommandModule = {
  build(command, io, done) {
    command
      .argument('<run>', 'the run: latest, its name or the beginning of it, or its folder')
      .argument('[stage]', 'one stage, container or child run of it')
      .option('--all', 'every child run in full')
      .option('--json', 'one document')
      .addHelpText('after', EXAMPLES)
      .action(async (run: string, place: string | undefined) => done(await show({ command, io, run, place })));
  },
};

interface Asked {
  readonly command: Command;
  readonly io: Io;
  readonly run: string;
  readonly place: string | undefined;
}

interface Words {
  readonly json?: boolean;
  readonly all?: boolean;
}

function show({ command, io, run: word, place: named }: Asked): Promise<number> {
  const words = command.opts<Words>();
  const ofAll = named === undefined && words.json !== true;
  const use = async (view: RunView, run: OpenRun, reader: Reader): Promise<number> => {
    if (named === undefined) return showRun({ view, run }, words, reader);
    return withPlace({ view, run }, named, reader, async (place) => {
      if (place.place === 'run') return showRun(place, words, reader);
      if (words.json === true) return printDocument({ run: place.run, view: partOf(place) }, reader);
      if (place.place === 'container') return printAll(partText(place.node, await shownOf(place, words, reader)), reader);
      return showStages(place, words, reader);
    });
  };
  return withRun(command, io, word, (run, reader) => useView(run, reader, use, ofAll ? createBriefly() : undefined));
}

interface At {
  readonly view: RunView;
  readonly run: OpenRun;
}

async function showRun({ view, run }: At, words: Words, reader: Reader): Promise<number> {
  if (words.json === true) return printDocument({ view, run }, reader);
  const shown = await shownOf({ view, run }, words, reader);
  return printAll(showText(view, { ...shown, state: await stateOf(view, run, reader) }), reader);
}

/** Of a view, the stages and containers of a part of it, and the child runs called there. */
function partOf(place: Place & { readonly place: 'stage' | 'container' }): RunView {
  const { view } = place;
  const path = place.place === 'stage' ? place.stages[0].stage : place.node.path;
  const isInside = (stage: string | undefined): boolean => stage === path || (stage?.startsWith(`${path}/`) ?? false);
  if (place.place === 'stage') return { ...view, stages: place.stages, subflows: view.subflows.filter(({ stage }) => stage === path) };
  return {
    ...view,
    stages: view.stages.filter(({ stage }) => isInside(stage)),
    containers: view.containers.filter(({ stage }) => isInside(stage)),
    subflows: view.subflows.filter(({ stage }) => isInside(stage)),
  };
}

async function showStages({ stages, view, run }: Place & { readonly place: 'stage' }, words: Words, reader: Reader): Promise<number> {
  const shown = await shownOf(
    { view: { ...view, subflows: view.subflows.filter(({ stage }) => stage === stages[0].stage) }, run },
    words,
    reader,
  );
  const captured = async (path: string): Promise<string | null> =>
    (await saidText(path, TERMINAL_BYTES, { ...reader, folder: run.folder }))?.text ?? null;
  for (const stage of stages) {
    const calls = view.subflows.filter((call) => call.stage === stage.stage && call.repeat === stage.repeat);
    await printAll(
      stageText(stage, captured, (round) =>
        calledText(
          calls.filter(({ retry = 1 }) => retry === round),
          run,
          shown,
        ),
      ),
      reader,
    );
  }
  return FOUND;
}

async function* calledText(calls: readonly SubflowView[], run: OpenRun, shown: Omit<Shown, 'state'>): AsyncGenerator<string> {
  for (const call of calls)
    yield* childText(await shown.child(run, call), { run, depth: 2, telling: { ...shown, widest: 24 }, brief: false });
}

async function shownOf({ view, run }: At, { all = false }: Words, reader: Reader): Promise<Omit<Shown, 'state'>> {
  const ports = await childPorts(run, reader);
  return {
    run,
    all,
    said: (of, capture) => saidLine(capture, { ...reader, folder: of.folder }),
    child: (caller, call) => readChild(caller, call, ports),
    tallies: await tallyChildren(run, view, ports),
  };
}

async function printAll(text: AsyncIterable<string>, reader: Reader): Promise<number> {
  for await (const block of inBlocks(text)) await reader.print(block);
  return FOUND;
}
