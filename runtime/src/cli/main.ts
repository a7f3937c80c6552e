import { escapeName } from '@gated-flow/text';
import type { CommandEntry, Io } from './command.js';
import { COMMANDS } from './commands.js';
import { reportFault } from './fault.js';
import { helpText } from './help.js';
import { readLogWords } from './log-words.js';

/** The command line from its words to its exit code. Never rejects (I-1). */
export async function main(words: readonly string[], io: Io): Promise<number> {
  try {
    return await answer(words, io);
  } catch (error) {
    return reportFault(error, words, io);
  }
}

async function answer(words: readonly string[], io: Io): Promise<number> {
  const [name, ...rest] = words;
  if (name === undefined || name === '--help' || name === '-h') return help(io);
  if (name === 'help') return rest[0] === undefined ? help(io) : answer([rest[0], '--help'], io);
  const entry = COMMANDS.find((command) => command.name === name);
  const { withSecrets } = await import('./secrets.js');
  const told = await withSecrets(words, io);
  if (entry === undefined) return unknownCommand(name, told);
  return perform(entry, rest, await withLog(words, told));
}

async function help(io: Io): Promise<number> {
  await io.out(helpText(COMMANDS));
  return 0;
}

async function unknownCommand(name: string, io: Io): Promise<number> {
  const { nearest } = await import('@gated-flow/assembly');
  const meant = nearest(
    name,
    COMMANDS.map((command) => command.name),
  );
  const hint = name.startsWith('-')
    ? 'Options come after the command: flow COMMAND --option.'
    : meant === undefined
      ? 'flow --help lists the commands.'
      : `Did you mean flow ${meant}?`;
  io.err(`There is no command "${escapeName(io.redactor.text(name))}". ${hint}\n`);
  return 2;
}

async function perform(entry: CommandEntry, words: readonly string[], io: Io): Promise<number> {
  const [module, { parseCommand }] = await Promise.all([entry.load(), import('./parse.js')]);
  return parseCommand({ entry, module, words }, io);
}

async function withLog(words: readonly string[], io: Io): Promise<Io> {
  const request = readLogWords(words);
  if (request === null) return io;
  const { openLog } = await import('../io/log.js');
  const log = openLog(request, io);
  log.debug('started', { words });
  return { ...io, log };
}
