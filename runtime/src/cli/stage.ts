import { type Command, Option } from 'commander';
import { escapeControls } from '@gated-flow/text';
import { callStage } from '../given/call.js';
import { present as withoutAbsent } from '../plan/options/inheritable.js';
import type { CommandModule, Io } from './command.js';
import { refuseDamaged } from './donor.js';
import { addOptionWords, readOptionWords } from './invocation.js';
import { present } from './run/present.js';
import { refuse } from './run/refuse.js';
import { watchRun } from './run/watch.js';
import { addRunWords, modelWords, type RunWords, spellAlone } from './run/words.js';
import { openWorld } from './run/world.js';
import { spellSlots } from './slot-words.js';

const EXAMPLES = `
DIR is the folder of a stage, or its file. It runs as it would in its flow, and leaves a record like any run. It is given the
files of --input, or what it was given in the run --from, whose slots, options and working tree count then, too; with
neither, what stands in its .fixtures/input/.

Examples:
  flow stage ./triage/flows/triage/02-draft --from latest             once more, after its prompt was changed
  flow stage ./triage/triage/02-draft --input ./drafts --rehearse     on files of yours, without a model
  flow stage ./notes/flows/notes/subflows/part/01-part --from latest --at 02-map/p1/01-part

The output goes to standard output, everything else to standard error.
Exit codes: 0 success; 1 the work failed; 2 refused or broken; 5 the run is damaged or was altered; 128+n stopped by signal n.`;

/** `flow stage DIR` (I-1). */
export const command: CommandModule = {
  spell: (words, command) => spellSlots(words.map(spellAlone), command),
  build(command, io, done) {
    command
      .argument('<dir>', 'the folder or the file of the stage')
      .addOption(new Option('--input <dir>', 'a folder with what the stage is given'))
      .addOption(new Option('--from <run>', 'give it what this run gave it'))
      .addOption(new Option('--at <place>', 'where in that run, when the stage ran in several places'));
    addRunWords(addOptionWords(command))
      .addHelpText('after', EXAMPLES)
      .action(async (dir: string) => done(await stage(command, io, dir)));
  },
};

interface Words extends RunWords {
  input?: string;
  from?: string;
  at?: string;
}

async function stage(command: Command, io: Io, target: string): Promise<number> {
  const words = command.opts<Words>();
  const { input, from, at } = words;
  const world = openWorld(io);
  const { redactor } = io;
  try {
    const called = await callStage(
      {
        target,
        words: readOptionWords(command),
        ...withoutAbsent({ input, from, at }),
        models: modelWords(words),
        wishes: words,
        notice(sentence) {
          if (!words.quiet) io.err(`${escapeControls(redactor.text(sentence))}\n`);
        },
        watch: (prepared, source) =>
          watchRun({ io, quiet: words.quiet === true, verbose: words.verbose === true, clock: world.calm.clock, prepared, source }),
      },
      world,
    );
    if (called.ok) return await present(called, { words, io });
    return 'damaged' in called ? await refuseDamaged(called.damaged, { words, io }) : await refuse(called.refusals, { words, io });
  } finally {
    world.dispose();
  }
}
