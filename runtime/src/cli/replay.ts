import { type Command, Option } from 'commander';
import { escapeControls } from '@gated-flow/text';
import { present as given } from '../plan/options/inheritable.js';
import { callReplay } from '../run/replay/call.js';
import { documentText } from '../views/document.js';
import { replayDocument, replayText } from '../views/replay.js';
import { asksForTraces } from '../telemetry/asked.js';
import type { CommandModule, Io } from './command.js';
import { clearFirst, refuseDamaged } from './donor.js';
import { refuse } from './run/refuse.js';
import { addSandboxWords, spellAlone } from './run/words.js';
import { watchRun } from './run/watch.js';
import { openWorld } from './run/world.js';

const EXAMPLES = `
RUN is a name, the beginning of one, latest, or the path of a run's folder. What its agents wrote in each round is put in place
again and judged by the checklist, schema and gates that the assembly has now. No model is asked, no hook is run. The gates see
the working tree as it is now.

Examples:
  flow replay latest                          after a gate was changed: whom would it have let through?
  flow replay latest --assembly ./triage-new  by the checks of another folder
  flow replay latest --sandbox=all            its gates contained
  flow replay latest --json | jq .verdicts

Exit codes: 0 every verdict stayed; 1 one changed; 2 misuse, or a check is broken; 5 RUN is damaged or was altered.`;

/** `flow replay RUN` (M-7). */
export const command: CommandModule = {
  spell: (words) => words.map(spellAlone),
  build(command, io, done) {
    addSandboxWords(command)
      .argument('<run>', 'the run: latest, its name or the beginning of it, or its folder')
      .addOption(new Option('--assembly <dir>', 'the assembly whose checks judge (default: where the run had it from)'))
      .addOption(new Option('--in <dir>', 'the working tree (default: that of the run)'))
      .addOption(new Option('--json', 'one document'))
      .addOption(new Option('-q, --quiet', 'no progress'))
      .addHelpText('after', EXAMPLES)
      .action(async (run: string) => done(await replay(command, io, run)));
  },
};

interface Words {
  readonly assembly?: string;
  readonly in?: string;
  readonly home?: string;
  readonly json?: boolean;
  readonly sandbox?: string;
  readonly sandboxNet?: boolean;
  readonly quiet?: boolean;
}

async function replay(command: Command, io: Io, run: string): Promise<number> {
  const words = command.opts<Words>();
  const { assembly, home, in: tree } = words;
  const world = openWorld(io);
  const quiet = words.quiet === true;
  try {
    await clearFirst(command, io, world);
    const replayed = await callReplay(
      {
        run,
        sandbox: given({ sandbox: words.sandbox, sandboxNet: words.sandboxNet }),
        words: { slots: [], optionNames: [], options: {}, ...given({ assembly, home, in: tree }) },
        watch: (prepared, source) => watchRun({ io, quiet, clock: world.calm.clock, prepared, source }),
      },
      world,
    );
    if (!replayed.ok) {
      return 'damaged' in replayed
        ? await refuseDamaged(replayed.damaged, { words, io })
        : await refuse(replayed.refusals, { words, io, kind: 'flow.replay' });
    }
    const { outcome, rows, donor } = replayed;
    const { redactor } = io;
    const found = { replayed: donor.name, word: donor.word, outcome, rows };
    const clean = (text: string): string => escapeControls(redactor.text(text));
    if (io.job !== undefined) await (await import('./job.js')).showRun(outcome, io, redactor);
    if (outcome.trouble !== null) io.err(clean(`The record could not be finished: ${outcome.trouble}.\n`));
    if (!words.json && !quiet) io.err('\n');
    await io.out(words.json ? documentText(replayDocument(found), redactor) : clean(replayText(found)));
    const untraced = asksForTraces(io.env) ? await (await import('./telemetry.js')).exportRun(outcome, io, redactor) : null;
    if (untraced !== null) io.err(clean(`${untraced}\n`));
    return outcome.ending.exit;
  } finally {
    world.dispose();
  }
}
