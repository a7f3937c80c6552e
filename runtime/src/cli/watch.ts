import { type Command, Option } from 'commander';
import { locate } from '@gated-flow/assembly';
import { createClock } from '../io/clock.js';
import { createDisk } from '../io/disk.js';
import { openMachines } from '../io/machines.js';
import { networkFetch } from '../io/network.js';
import { processes } from '../io/processes.js';
import { watchTree } from '../io/watch-tree.js';
import { loadConfig, type ReadConfig } from '../plan/config/load.js';
import { homePath } from '../plan/home.js';
import { prepare, type Preparation, type StandardInput } from '../plan/prepare.js';
import { realPath } from '../plan/real-path.js';
import { resolveTarget } from '../plan/target.js';
import type { TreeWatch } from '../ports/tree-watch.js';
import { prepareCall, type World } from '../run/call.js';
import type { Contents } from '../watch/contents.js';
import { placesOf } from '../watch/places.js';
import { openSettling } from '../watch/settling.js';
import { watchAssembly } from '../watch/watch.js';
import { withWorkspaceSkills } from './check/workspace.js';
import type { CommandModule, Io } from './command.js';
import { addInvocationWords, readInvocation } from './invocation.js';
import { preparePorts } from './prepare-ports.js';
import { refuse } from './run/refuse.js';
import { addModelWords, addSandboxWords, modelWords, type RunWords, spellAlone } from './run/words.js';
import { spellSlots } from './slot-words.js';
import { standardInput } from './standard-input.js';
import { lookAt, namedFiles } from './watch/look.js';
import { runStarter } from './watch/start.js';
import { tellWatching } from './watch/telling.js';

const EXAMPLES = `
Examples:
  flow watch ./triage                               check it whenever something is saved
  flow watch ./triage @ticket.txt --run --rehearse  and rehearse it, from the first stage that changed
  flow watch ./triage @ticket.txt --run             the same with a model

Contents count, not times. A run goes on for as long as what it does is what it would do now; then it is stopped, and
the next one carries over what still stands. What changed is said on standard error, outputs go to standard output.
Ctrl-C ends it: exit code 130. Exit code 2: there is nothing to watch.`;

/** Milliseconds: a save is over when nothing has happened for the first, and at the latest after the second. */
const MOMENTS = { quietMs: 120, latestMs: 3_000 };

interface Words extends RunWords {
  run?: boolean;
  home?: string;
}

/** `flow watch TARGET [REQUEST] [--run]` (I-1). */
export const command: CommandModule = {
  spell: (words, command) => spellSlots(words.map(spellAlone), command),
  build(command, io, done) {
    addSandboxWords(
      addModelWords(addInvocationWords(command).option('--run', 'run it too: at first all of it, then from the first stage that changed')),
    )
      .addOption(new Option('--reuse', 'take over the work of earlier runs also behind the first stage that changed'))
      .addOption(new Option('--sign <key>', 'sign the records with this Ed25519 key (flow keygen)'))
      .addOption(new Option('--correlation <text>', 'a text of yours, kept in the records'))
      .addOption(new Option('-q, --quiet', 'no progress'))
      .addOption(new Option('-v, --verbose', 'more of it'))
      .addHelpText('after', EXAMPLES)
      .action(async () => done(await watch(command, io)));
  },
};

async function watch(command: Command, io: Io): Promise<number> {
  const words = command.opts<Words>();
  const invocation = readInvocation(command);
  const models = modelWords(words);
  const disk = createDisk();
  const clock = createClock();
  const home = homePath(io, words.home);
  const target = home === null ? null : await resolveTarget(invocation.target, home, { cwd: io.cwd, disk });
  if (target?.ok === false) return refuse(target.refusals, { words: {}, io });
  const located = target === null ? null : locate(target.value, io.cwd);
  if (located?.ok === false) return refuse(located.refusals, { words: {}, io });
  const root = located?.root ?? io.cwd;

  const machines = openMachines(io.env);
  const failed = new AbortController();
  const stop = AbortSignal.any([machines.stop.signal, io.outClosed, failed.signal]);
  const { redactor } = io;
  const tell = tellWatching({
    ...{ io, redactor, clock, modelNeeded: models.kind === 'provider', runs: words.run === true },
    seen: refuseMisuse(() => failed.abort()),
  });
  const settling = openSettling(clock, MOMENTS);
  const files = namedFiles(invocation, models, io.cwd);
  const cwd = (await realPath(io.cwd, disk)) ?? io.cwd;
  let opened: { readonly watch: TreeWatch; readonly opaque: string } | null = null;

  const failing = (code: string): void => {
    tell.say(`The system watches no more files (${code}). Raise fs.inotify.max_user_watches and ulimit -n, or set CHOKIDAR_USEPOLLING=1.`);
    failed.abort();
  };
  /** What the assembly calls opaque is not watched; when it says so of something else, watching begins anew. */
  const look = async (): Promise<Contents> => {
    const contents = await lookAt(root, files, disk);
    const opaque = contents.opaque.join('\0');
    if (opened?.opaque === opaque) return contents;
    await opened?.watch.close();
    const places = placesOf({ root, cwd, files, opaque: contents.opaque, home });
    opened = { opaque, watch: await watchTree(places, { changed: settling.touch, failed: failing }) };
    // What changed before every place was watched was told by nobody.
    return lookAt(root, files, disk);
  };
  const calm = { disk, clock, env: io.env, processes };
  // The home may change while this goes on, so each preparation reads it anew.
  const readConfig: ReadConfig = (home) => loadConfig(home, disk);
  const stdin = readOnce(standardInput(io, clock));
  const world: World = { ...{ cwd: io.cwd, stdin, readConfig, fetch: networkFetch, calm }, machine: () => machines.open(stop) };
  const preparing = async (): Promise<Preparation> => {
    if (words.run === true) return prepareCall({ ...invocation, purpose: 'run', models: models.kind }, world);
    const outcome = await prepare(
      { ...invocation, purpose: 'check', models: models.kind },
      preparePorts({ ...io, readConfig }, { disk, clock }),
    );
    return outcome.ok ? withWorkspaceSkills(outcome, disk) : outcome;
  };
  try {
    await watchAssembly({
      ...{ clock, look, prepare: preparing, settling, tell, stop },
      start: words.run === true ? runStarter({ io, words, machines, calm, stop, say: tell.say }) : null,
      beside: ({ entries }) => new Map([...entries].filter(([path]) => counts(path, models.kind))),
    });
  } finally {
    settling.stop();
    await closed(opened);
    machines.dispose();
  }
  const reason = machines.stop.reason();
  if (reason?.stop === 'signal') return 128 + reason.signal;
  return failed.signal.aborted ? 2 : 0;
}

/** Fixtures shape what a rehearsal writes; a script what a scripted run does. */
function counts(path: string, kind: ReturnType<typeof modelWords>['kind']): boolean {
  return path.startsWith('/') ? kind === 'scripted' : kind === 'rehearsal' && path.includes('.fixtures/');
}

/** What was typed wrongly no save can repair: the first look ends the watching over it. */
function refuseMisuse(end: () => void): (preparation: Preparation) => void {
  let first = true;
  return (preparation) => {
    if (first && !preparation.ok && preparation.refusals.some(({ path }) => path === 'command' || path === 'request')) end();
    first = false;
  };
}

/** Standard input is there once, and a request is asked for again and again. */
function readOnce(stdin: StandardInput): StandardInput {
  let bytes: Promise<Uint8Array> | null = null;
  return { ...stdin, read: (limit, silent) => (bytes ??= stdin.read(limit, silent)) };
}

function closed(opened: { readonly watch: TreeWatch } | null): Promise<void> {
  return opened?.watch.close() ?? Promise.resolve();
}
