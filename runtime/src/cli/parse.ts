import { Command, CommanderError, Option } from 'commander';
import { escapeControls } from '@gated-flow/text';
import { LOG_LEVELS } from '../ports/log.js';
import type { CommandEntry, CommandModule, Io } from './command.js';

export interface Named {
  readonly entry: CommandEntry;
  readonly module: CommandModule;
  /** What stood after the command's name. */
  readonly words: readonly string[];
}

/** Parses the words and performs the command; resolves with its exit code, 2 for misuse, 0 for help. */
export async function parseCommand({ entry, module, words }: Named, io: Io): Promise<number> {
  const said: string[] = [];
  const command = new Command(`flow ${entry.name}`)
    .description(sentence(entry.summary))
    .exitOverride()
    .configureOutput({
      writeOut: (text) => void said.push(text),
      writeErr: (text) => io.err(escapeControls(io.redactor.text(text))),
      outputError: (text, write) => write(mistakeText(text)),
      getOutHelpWidth: () => io.width,
      getOutHasColors: () => io.outColor,
    })
    .showHelpAfterError(`flow ${entry.name} --help shows how it is used.`);
  let exit: number | null = null;
  module.build(command, io, (code) => (exit = code));
  addCommonOptions(command);

  try {
    await command.parseAsync(module.spell?.(words, command) ?? [...words], { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    await io.out(said.join(''));
    return error.exitCode === 0 ? 0 : 2;
  }
  if (exit === null) throw new Error(`flow ${entry.name} ended without an exit code`);
  return exit;
}

/** The options that every command has. */
export function addCommonOptions(command: Command): void {
  command
    .addOption(new Option('--home <dir>', 'where runs are kept (or $FLOW_HOME)'))
    .addOption(new Option('--log-level <level>', "write the runtime's own log").choices(LOG_LEVELS))
    .addOption(new Option('--log-file <file>', 'append that log to a file instead of standard error'));
}

/** The parser's words as sentences: what is wrong, then what may have been meant. */
function mistakeText(text: string): string {
  const [wrong = '', meant] = text
    .replace(/^error: /, '')
    .trim()
    .split(/\n\((?=Did you mean )/);
  return `${sentence(wrong)}${meant === undefined ? '' : ` ${meant.replace(/\)$/, '')}`}\n`;
}

function sentence(text: string): string {
  return `${text.slice(0, 1).toUpperCase()}${text.slice(1)}${/[.?!]$/.test(text) ? '' : '.'}`;
}
