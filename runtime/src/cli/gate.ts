import { join } from 'node:path';
import { type Command, Option } from 'commander';
import { escapeControls } from '@gated-flow/text';
import { callGate, type Gated, type GateWatch } from '../gate/call.js';
import { exitOf } from '../gate/proof.js';
import { pathFromHere, shellWord } from '../plan/fix.js';
import { present } from '../plan/options/inheritable.js';
import { stopped } from '../stage/ending.js';
import { documentText } from '../views/document.js';
import { type FileTelling, fileText, NO_FILE, proofText, stageHeader } from '../views/gate-text.js';
import type { CommandModule, Io } from './command.js';
import { addGroundWords, readOptionWords } from './invocation.js';
import { refusalText } from './refusals.js';
import { openWorld } from './run/world.js';
import { spellSlots } from './slot-words.js';

const EXAMPLES = `
DIR is a stage's folder, or a flow or an assembly for all of its stages. No model is asked and no record is made. A gate is
executed as a run executes it, on a copy of the file, with what stands in .fixtures/input/ for its $INPUT.

Examples:
  flow gate ./triage                          the proof of every gate: .fixtures/pass/* and .fixtures/fail/*
  flow gate ./triage/flows/triage/03-verify   of one stage
  flow gate ./triage/triage/03-verify out.txt is this file good enough?
  flow gate ./triage --json | jq .            for a program

Exit codes: 0 all as expected, 1 not, 2 a check could not be made.`;

/** `flow gate DIR [OUTPUT…]` (I-1, K-1). */
export const command: CommandModule = {
  spell: spellSlots,
  build(command, io, done) {
    addGroundWords(
      command
        .argument('<dir>', 'a stage, or all stages of a flow or an assembly')
        .argument('[output...]', 'files that must pass; none: what the stage keeps in .fixtures/'),
    )
      .addOption(new Option('--input <dir>', 'what stands in $INPUT (default: .fixtures/input/)'))
      .addOption(new Option('--timeout <seconds>', 'for each gate'))
      .option('--json', 'one document')
      .option('-v, --verbose', 'all that was said, also where it was expected')
      .addHelpText('after', EXAMPLES)
      .action(async (dir: string, outputs: string[]) => done(await gate(command, io, { dir, outputs })));
  },
};

/** Columns, where nobody says how many there are. */
const LINE = 200;

interface Words {
  input?: string;
  json?: boolean;
  verbose?: boolean;
}

async function gate(command: Command, io: Io, { dir, outputs }: { dir: string; outputs: readonly string[] }): Promise<number> {
  const words = command.opts<Words>();
  const world = openWorld(io);
  const quiet = words.json === true;
  try {
    const gated = await callGate(
      {
        invocation: { target: dir, ...readOptionWords(command) },
        outputs,
        ...present({ input: words.input }),
        ...(quiet ? {} : { watch: () => watchFiles(io, words) }),
      },
      world,
    );
    return quiet ? await tellDocument(gated, io) : await tellEnd(gated, io);
  } finally {
    world.dispose();
  }
}

/** Each file is told as soon as it is judged: a gate may take its time. */
function watchFiles(io: Io, { verbose }: Words): GateWatch {
  let telling: FileTelling = { widest: 0, width: io.outIsTerminal ? io.width : LINE, whole: verbose === true };
  const print = (text: string): Promise<void> => io.out(escapeControls(io.redactor.text(text)));
  return {
    async stage(proof, candidates) {
      telling = { ...telling, widest: Math.min(40, Math.max(0, ...candidates.map(({ shown }) => shown.length))) };
      await print(stageHeader(proof));
      if (candidates.length === 0) await print(NO_FILE);
    },
    file: (judged) => print(fileText(judged, telling)),
  };
}

async function tellEnd(gated: Gated, io: Io): Promise<number> {
  if (!gated.ok) {
    io.err(refusalText(gated.refusals, { redactor: io.redactor, color: io.errColor, width: io.width }));
    return 2;
  }
  const { prepared, proofs } = gated;
  if (gated.stopped !== null) {
    io.err('Stopped before every file was judged.\n');
    return exitCode(gated);
  }
  const folderOf = (stage: string): string => shellWord(pathFromHere(join(prepared.plan.source, stage), io.cwd));
  await io.out(escapeControls(io.redactor.text(proofText(proofs, folderOf))));
  return exitCode(gated);
}

async function tellDocument(gated: Gated, io: Io): Promise<number> {
  const about = { kind: 'flow.gate', version: 1 };
  const exit = exitCode(gated);
  const document = gated.ok
    ? { ...about, assembly: gated.prepared.plan.source, exit, stages: gated.proofs }
    : { ...about, assembly: null, exit, refusals: gated.refusals };
  await io.out(documentText(document, io.redactor));
  return exit;
}

function exitCode(gated: Gated): number {
  if (!gated.ok) return 2;
  return gated.stopped === null ? exitOf(gated.proofs) : stopped(gated.stopped).exit;
}
