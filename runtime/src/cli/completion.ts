import { Argument, Command } from 'commander';
import { SHELLS } from '../completion/shells.js';
import { completedCommand, type CompletedCommand } from '../completion/words.js';
import type { CommandEntry, CommandModule, Io } from './command.js';
import { addCommonOptions } from './parse.js';

const EXAMPLES = `
Commands, options, runs and paths are completed without starting flow.

Examples:
  flow completion bash > ~/.local/share/bash-completion/completions/flow
  flow completion zsh > ~/.zfunc/_flow                with fpath+=~/.zfunc before compinit in ~/.zshrc
  flow completion fish > ~/.config/fish/completions/flow.fish
  eval "$(flow completion bash)"                      for this shell alone

Exit codes: 0 printed, 2 misuse.`;

/** `flow completion SHELL` (I-1), generated from the table of commands. */
export function completionOf(commands: readonly CommandEntry[]): CommandModule {
  return {
    build(command, io, done) {
      command
        .addArgument(new Argument('<shell>', 'which shell').choices(Object.keys(SHELLS)))
        .addHelpText('after', EXAMPLES)
        .action(async (shell: keyof typeof SHELLS) => {
          await io.out(SHELLS[shell](await everyCommand(commands, io)));
          done(0);
        });
    },
  };
}

/** Every command of the table, as it builds itself, each followed by those that it has inside. */
async function everyCommand(commands: readonly CommandEntry[], io: Io): Promise<readonly CompletedCommand[]> {
  const every = commands.map(async ({ name, summary, load }) => {
    const command = new Command(name);
    (await load()).build(command, io, () => {});
    command.commands.forEach(addCommonOptions);
    addCommonOptions(command);
    return [
      completedCommand({ name, summary }, command),
      ...command.commands.map((inner) => completedCommand({ name: `${name} ${inner.name()}`, summary: inner.description() }, inner)),
    ];
  });
  return (await Promise.all(every)).flat();
}
