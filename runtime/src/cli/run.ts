import type { Command } from 'commander';
import { callRun } from '../run/call.js';
import type { CommandModule, Io } from './command.js';
import { addInvocationWords, readInvocation } from './invocation.js';
import { present } from './run/present.js';
import { refuse } from './run/refuse.js';
import { watchRun } from './run/watch.js';
import { addRunWords, modelWords, type RunWords, spellAlone } from './run/words.js';
import { openWorld } from './run/world.js';
import { spellSlots } from './slot-words.js';

const EXAMPLES = `
Examples:
  flow run ./triage "the printer is on fire"     run it
  flow run ./triage @ticket.txt                  the request is a file
  flow run ./triage --no-request --rehearse      no model: try gates, hooks and hand-overs in seconds
  flow run ./triage @ticket.txt --reuse          no agent works twice on the same thing
  flow run ./triage @ticket.txt --json | jq .    for a program

The output goes to standard output, everything else to standard error.
Exit codes: 0 success; 1 the work failed; 2 refused or broken; 128+n stopped by signal n.`;

/** `flow run TARGET [REQUEST]` (chapter 2, E-1 to E-4). */
export const command: CommandModule = {
  spell: (words, command) => spellSlots(words.map(spellAlone), command),
  build(command, io, done) {
    addRunWords(addInvocationWords(command))
      .addHelpText('after', EXAMPLES)
      .action(async () => done(await run(command, io)));
  },
};

async function run(command: Command, io: Io): Promise<number> {
  const words = command.opts<RunWords>();
  const world = openWorld(io);
  try {
    const invocation = readInvocation(command);
    const called = await callRun(
      {
        invocation,
        models: modelWords(words),
        wishes: words,
        watch: (prepared, source) =>
          watchRun({ io, quiet: words.quiet === true, verbose: words.verbose === true, clock: world.calm.clock, prepared, source }),
      },
      world,
    );
    return called.ok ? await present(called, { words, io }) : await refuse(called.refusals, { words, io, target: invocation.target });
  } finally {
    world.dispose();
  }
}
