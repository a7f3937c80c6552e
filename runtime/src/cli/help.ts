import type { CommandEntry } from './command.js';

/** What `flow` alone says: what it is, the commands, three things to try. */
export function helpText(commands: readonly CommandEntry[]): string {
  const widest = Math.max(...commands.map(({ name }) => name.length));
  return [
    'flow runs a folder of markdown and scripts as a gated agent workflow.',
    '',
    'Usage: flow COMMAND …',
    '',
    ...commands.map(({ name, summary }) => `  ${name.padEnd(widest)}  ${summary}`),
    '',
    'Examples:',
    '  flow check ./review                      what would run, and what is wrong with it',
    '  flow run ./review @ticket.txt --rehearse  the whole way through without a model',
    '  flow run ./review "look at the last commit"',
    '',
    'flow COMMAND --help explains a command. flow --version says which flow this is.',
    '',
  ].join('\n');
}
