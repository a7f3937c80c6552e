/** What can be completed, as the commands themselves say it. Pure. */
import type { Argument, Command, Option } from 'commander';

/** What stands at a place: names of runs, a folder, any file, one of some words, or something nobody can know. */
export type Takes = 'runs' | 'folders' | 'files' | 'nothing' | readonly string[];

export interface CompletedOption {
  readonly long: string;
  /** Absent for a switch. */
  readonly takes?: Takes;
  readonly description: string;
}

export interface CompletedCommand {
  /** Two words for a command inside another: `governance check`. */
  readonly name: string;
  readonly summary: string;
  readonly options: readonly CompletedOption[];
  /** In order; the last one counts for all that follow when `more`. */
  readonly places: readonly Takes[];
  readonly more: boolean;
}

export function completedCommand(about: { readonly name: string; readonly summary: string }, command: Command): CompletedCommand {
  const shown = command.options.filter(({ hidden }) => !hidden);
  return {
    ...about,
    options: [...shown.flatMap(optionOf), { long: '--help', description: 'how it is used' }],
    places:
      command.commands.length > 0
        ? [command.commands.map((inner) => inner.name())]
        : command.registeredArguments.map((argument) => takenBy(argument.name(), argument)),
    more: command.registeredArguments.some(({ variadic }) => variadic),
  };
}

/** The commands that stand first in a line. */
export function outermost(commands: readonly CompletedCommand[]): readonly CompletedCommand[] {
  return commands.filter(({ name }) => !name.includes(' '));
}

function optionOf(option: Option): CompletedOption[] {
  if (option.long === undefined || option.long === null) return [];
  const [, value] = /<([^>]+)>/.exec(option.flags) ?? [];
  const about = { long: option.long, description: option.description };
  return [value === undefined ? about : { ...about, takes: takenBy(value, option) }];
}

/** By what the help calls it. */
function takenBy(value: string, { argChoices }: Pick<Argument | Option, 'argChoices'>): Takes {
  if (argChoices !== undefined && argChoices.length > 0) return argChoices;
  if (/^(?:run|other)/.test(value)) return 'runs';
  if (value === 'dir' || value === 'folder') return 'folders';
  return /^(?:target|assembly|request|output|file|key|pub|path)/.test(value) ? 'files' : 'nothing';
}

/** As the scripts name it. */
export function takesWord(takes: Takes): string {
  return typeof takes === 'string' ? takes : takes.join(' ');
}
