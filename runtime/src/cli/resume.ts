import { type Command, Option } from 'commander';
import { escapeControls } from '@gated-flow/text';
import { callResume } from '../run/resume/call.js';
import { documentText } from '../views/document.js';
import { resumeDocument, resumePlanText } from '../views/resume-plan.js';
import type { CommandModule, Io } from './command.js';
import { clearFirst, refuseDamaged } from './donor.js';
import { addOptionWords, readOptionWords } from './invocation.js';
import { present } from './run/present.js';
import { refuse } from './run/refuse.js';
import { watchRun } from './run/watch.js';
import { addRunWords, modelWords, type RunWords, spellAlone } from './run/words.js';
import { openWorld } from './run/world.js';
import { spellSlots } from './slot-words.js';

const EXAMPLES = `
RUN is a name, the beginning of one, latest, or the path of a run's folder. A new run begins: it carries over the stages that
are settled and unchanged, and runs the others. The request, the working tree, the slots and the options are those of RUN;
what is said here is for the stages that run.

Examples:
  flow resume latest                    go on where it failed, after the assembly was repaired
  flow resume latest --plan             what would be carried, and why the rest would run
  flow resume latest --timeout 7200     with more time for what runs

The output goes to standard output, everything else to standard error.
Exit codes: 0 success; 1 the work failed; 2 refused or broken; 5 RUN is damaged or was altered; 128+n stopped by signal n.`;

/** `flow resume RUN` (G-11). */
export const command: CommandModule = {
  spell: (words, command) => spellSlots(words.map(spellAlone), command),
  build(command, io, done) {
    addOptionWords(command.argument('<run>', 'the run: latest, its name or the beginning of it, or its folder'));
    addRunWords(command)
      .addOption(new Option('--assembly <dir>', 'where the assembly is now, when it was moved'))
      .addOption(new Option('--plan', 'say what would be carried, and run nothing'))
      .addHelpText('after', EXAMPLES)
      .action(async (run: string) => done(await resume(command, io, run)));
  },
};

interface Words extends RunWords {
  plan?: boolean;
  assembly?: string;
}

async function resume(command: Command, io: Io, run: string): Promise<number> {
  const words = command.opts<Words>();
  const world = openWorld(io);
  const { redactor } = io;
  const planOnly = words.plan === true;
  try {
    await clearFirst(command, io, world);
    const resumed = await callResume(
      {
        run,
        words: { ...readOptionWords(command), ...(words.assembly === undefined ? {} : { assembly: words.assembly }) },
        models: modelWords(words),
        wishes: words,
        planOnly,
        planned(plan) {
          if (!planOnly && !words.quiet) io.err(escapeControls(redactor.text(`${resumePlanText(plan)}\n`)));
        },
        watch: (prepared, source) =>
          watchRun({ io, quiet: words.quiet === true, verbose: words.verbose === true, clock: world.calm.clock, prepared, source }),
      },
      world,
    );
    if (resumed.ok && resumed.called) return await present(resumed.called, { words, io });
    if (resumed.ok) {
      await io.out(
        words.json ? documentText(resumeDocument(resumed.plan), redactor) : escapeControls(redactor.text(resumePlanText(resumed.plan))),
      );
      return 0;
    }
    return 'damaged' in resumed ? await refuseDamaged(resumed.damaged, { words, io }) : await refuse(resumed.refusals, { words, io });
  } finally {
    world.dispose();
  }
}
