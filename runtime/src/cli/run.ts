import type { Command } from 'commander';
import { Option } from 'commander';
import { createRedactor, secretValues } from '@gated-flow/text';
import { createClock } from '../io/clock.js';
import { createDisk } from '../io/disk.js';
import { openMachine, type OpenMachine } from '../io/machine.js';
import { runPrepared } from '../main.js';
import { type Discovery, probeOllama } from '../models/discovery.js';
import { prepare, type Prepared } from '../plan/prepare.js';
import { openHome } from '../record/home.js';
import { notRunYet } from '../run/refuse.js';
import type { CommandModule, Io } from './command.js';
import { addInvocationWords, readInvocation } from './invocation.js';
import { preparePorts } from './prepare-ports.js';
import { refuse } from './run/refuse.js';
import { chooseModels } from './run/models.js';
import { present } from './run/present.js';
import { titleOf } from './run/title.js';
import { watchRun } from './run/watch.js';
import { readOptions } from './run/options.js';
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

interface Running {
  readonly words: RunWords;
  readonly io: Io;
  readonly machine: OpenMachine;
}

/** Until everything is read, a signal ends the process as it ends any other: there is no run yet. */
async function run(command: Command, io: Io): Promise<number> {
  const words = command.opts<RunWords>();
  const models = words.script !== undefined ? 'scripted' : words.rehearse ? 'rehearsal' : 'provider';
  const clock = createClock();
  const probe = (): Promise<Discovery | null> => probeOllama(fetch, io.env, clock);
  const invocation = readInvocation(command, { purpose: 'run', models });
  const preparation = await prepare(invocation, preparePorts(io, { disk: createDisk(), clock, probe }));
  if (!preparation.ok) return refuse(preparation.refusals, { words, io });

  const machine = openMachine(io.env);
  try {
    return await start(preparation, { words, io, machine });
  } finally {
    machine.dispose();
  }
}

/** Everything that can refuse does so before the run is born (O-5). */
async function start(prepared: Prepared, { words, io, machine }: Running): Promise<number> {
  const unrun = notRunYet(prepared.plan);
  if (unrun.length > 0) return refuse(unrun, { words, io });
  const models = await chooseModels(prepared, { words, io, machine });
  if (!models.ok) return refuse(models.refusals, { words, io });
  const asked = await readOptions(words, { io, disk: machine.disk });
  if (!asked.ok) return refuse(asked.refusals, { words, io });
  const home = await openHome(prepared.home, machine);
  if (home) return refuse([home], { words, io });

  const redactor = createRedactor(secretValues(io.env, prepared.config.redact));
  const stages = prepared.plan.rows.map(({ stage }) => stage);
  const title = titleOf(prepared, models.source);
  const watch = await watchRun({ io, quiet: words.quiet === true, redactor, clock: machine.clock, title, stages });
  const { source, modelFor } = models;
  const { fact: onFact, activity: onActivity, notice: onNotice } = watch;
  const options = { ...asked.options, source, modelFor, onFact, onActivity, onNotice };
  const ran = await runPrepared(prepared, options, machine).finally(watch.end);
  if (!ran.ok) return refuse(ran.refusals, { words, io });
  return present(ran.outcome, { view: watch.view(), words, io, redactor, leftOver: models.leftOver() });
}

/** Alone it takes no value, so that what follows stays a target or a request. */
function spellIsolate(word: string): string {
  return word === '--isolate' ? '--isolate=clean' : word;
}

function collect(word: string, before: readonly string[]): string[] {
  return [...before, word];
}
