import { parseArgs } from 'node:util';
import { escapeControls, escapeName } from '@gated-flow/text';
import { nearest } from '../nearest.js';
import type { Arguments, CommandEntry, CommandIo } from './command.js';
import { Misuse } from './command.js';
import { COMMANDS } from './commands.js';
import { commandHelp, generalHelp } from './help.js';

/** The command line of `agentcontract` from its words to its exit code (C-11). Never rejects. */
export function runCommand(words: readonly string[], io: CommandIo): Promise<number> {
  return saying(io, () => answer(words, io));
}

/** One command of the table with what was given to it, for a host that reads the words itself. Never rejects. */
export function performCommand(entry: CommandEntry, given: Arguments, io: CommandIo): Promise<number> {
  return saying(io, async () => (await entry.load()).run(given, io));
}

/** What goes wrong is said, and is exit 2. */
async function saying(io: CommandIo, work: () => Promise<number>): Promise<number> {
  try {
    return await work();
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    io.err(`${escapeControls(message)}\n`);
    return 2;
  }
}

async function answer([name, ...rest]: readonly string[], io: CommandIo): Promise<number> {
  if (name === undefined || name === '--help' || name === '-h' || name === 'help') {
    const entry = COMMANDS.find((command) => command.name === rest[0]);
    await io.out(entry ? commandHelp(entry) : generalHelp(COMMANDS));
    return 0;
  }
  const entry = COMMANDS.find((command) => command.name === name);
  if (!entry) throw new Misuse(unknownCommand(name));
  if (rest.includes('--help') || rest.includes('-h')) {
    await io.out(commandHelp(entry));
    return 0;
  }
  const given = read(entry, rest);
  const module = await entry.load();
  return module.run(given, io);
}

function unknownCommand(name: string): string {
  const meant = nearest(
    name,
    COMMANDS.map((command) => command.name),
  );
  const hint = meant === undefined ? 'agentcontract --help lists the commands.' : `Did you mean agentcontract ${meant}?`;
  return `There is no command "${escapeName(name)}". ${hint}`;
}

function read(entry: CommandEntry, words: readonly string[]): Arguments {
  const options = Object.fromEntries(
    Object.entries(entry.options).map(([name, { type, multiple }]) => [name, { type, multiple: multiple ?? false }]),
  );
  try {
    const { values, positionals } = parseArgs({ args: [...words], options, allowPositionals: true, strict: true });
    const value = (name: string): unknown => (Object.hasOwn(values, name) ? values[name] : undefined);
    return {
      words: positionals,
      text: (name) => {
        const found = value(name);
        return typeof found === 'string' ? found : undefined;
      },
      texts: (name) => {
        const found = value(name);
        return Array.isArray(found) ? found.map(String) : [];
      },
      flag: (name) => value(name) === true,
    };
  } catch (error) {
    const said = error instanceof Error ? error.message.replace(/\. To specify.*$/s, '.') : 'It cannot be understood.';
    const asked = /'--([^' ]+)/.exec(said)?.[1];
    const meant = asked === undefined ? undefined : nearest(asked, Object.keys(entry.options));
    const hint = meant === undefined ? '' : ` Did you mean --${meant}?`;
    throw new Misuse(`${said.replace(/([^.])$/, '$1.')}${hint} agentcontract ${entry.name} --help shows the options.`, { cause: error });
  }
}
