import { type Command, Option } from 'commander';
import type { ModelWords } from '../models/choose.js';
import { callRun } from '../run/call.js';
import type { CommandModule, Io } from './command.js';
import { addInvocationWords, collect, readInvocation } from './invocation.js';
import { present } from './run/present.js';
import { refuse } from './run/refuse.js';
import { watchRun } from './run/watch.js';
import { openWorld } from './run/world.js';
import { spellSlots } from './slot-words.js';

const EXAMPLES = `
Examples:
  flow run ./triage "the printer is on fire"     run it
  flow run ./triage @ticket.txt                  the request is a file
  flow run ./triage --no-request --rehearse      no model: try gates, hooks and hand-overs in seconds
  flow run ./triage @ticket.txt --json | jq .    for a program

The output goes to standard output, everything else to standard error.
Exit codes: 0 success; 1 the work failed; 2 refused or broken; 128+n stopped by signal n.`;

/** `flow run TARGET [REQUEST]` (chapter 2, E-1 to E-4). */
export const command: CommandModule = {
  spell: (words, command) => spellSlots(words.map(spellIsolate), command),
  build(command, io, done) {
    addInvocationWords(command)
      .addOption(new Option('--rehearse', 'no model: satisfy checks by rule').conflicts('script'))
      .addOption(new Option('--rehearse-choose <stage=name>', 'what a rehearsal selects').argParser(collect).default([], 'the first'))
      .addOption(new Option('--script <file>', 'a scripted model'))
      .addOption(new Option('--isolate [=dirty]', 'in a git worktree of its own; =dirty takes along what is not committed'))
      .addOption(new Option('--sign <key>', 'sign the record with this Ed25519 key (flow keygen)'))
      .addOption(new Option('--correlation <text>', 'a text of yours, kept in the record'))
      .addOption(new Option('--json', 'one document instead of the output'))
      .addOption(new Option('-q, --quiet', 'no progress'))
      .addOption(new Option('-v, --verbose', 'more of it'))
      .addHelpText('after', EXAMPLES)
      .action(async () => done(await run(command, io)));
  },
};

export interface RunWords {
  rehearse?: boolean;
  rehearseChoose: string[];
  script?: string;
  isolate?: string;
  sign?: string;
  correlation?: string;
  json?: boolean;
  quiet?: boolean;
  verbose?: boolean;
}

async function run(command: Command, io: Io): Promise<number> {
  const words = command.opts<RunWords>();
  const world = openWorld(io);
  try {
    const called = await callRun(
      {
        invocation: readInvocation(command),
        models: modelWords(words),
        wishes: words,
        watch: (prepared, source) => watchRun({ io, quiet: words.quiet === true, clock: world.calm.clock, prepared, source }),
      },
      world,
    );
    return called.ok ? await present(called, { words, io }) : await refuse(called.refusals, { words, io });
  } finally {
    world.dispose();
  }
}

function modelWords({ script, rehearse, rehearseChoose }: RunWords): ModelWords {
  if (script !== undefined) return { kind: 'scripted', file: script };
  return rehearse ? { kind: 'rehearsal', choose: rehearseChoose } : { kind: 'provider' };
}

/** Alone it takes no value, so that what follows stays a target or a request. */
function spellIsolate(word: string): string {
  return word === '--isolate' ? '--isolate=clean' : word;
}
