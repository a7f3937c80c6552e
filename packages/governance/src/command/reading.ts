import type { Command } from '@gated-flow/shell';
import type { CommandRead } from '../events.js';
import { foldText } from './fold.js';
import { isInlineProgram } from './inline.js';
import { argumentForms } from './options.js';
import { pathsOf } from './paths.js';
import { carried } from './carried.js';

/** One program that the text of a call would run, as rules look at it (V-2). */
export interface SimpleCommand {
  /** The last segment of the path: `git` for `/usr/bin/git`. */
  readonly program: string;
  /** The arguments joined by one space, in every form a rule may mean: as written, and without the options before the subcommand. */
  readonly args: readonly string[];
  readonly paths: readonly string[];
  readonly text: string;
}

/** A part that was not read, and is therefore judged on its text, one step stricter. */
export interface UnreadPart {
  readonly text: string;
  /** One sentence for people. */
  readonly why: string;
}

export interface CommandReading {
  readonly commands: readonly SimpleCommand[];
  readonly unread: readonly UnreadPart[];
}

/** The shell reader has to be asked with `guess`. Every command of the text is in one of the two lists or in both (V-3). */
export function readCommands({ text, read }: CommandRead): CommandReading {
  if (!read.ok) return { commands: [], unread: [{ text, why: read.message }] };
  const commands = read.commands.flatMap(simpleCommands);
  return { commands, unread: distinct(read.commands.flatMap((command) => unreadParts(command, text))) };
}

function simpleCommands(command: Command): readonly SimpleCommand[] {
  if (command.name === null) return [];
  const words = command.args.map((word) => word ?? '');
  const text = [
    command.text,
    ...command.redirects.map(({ op, target }) => `${op} ${op.startsWith('<<') ? '' : (target ?? '')}`.trim()),
  ].join(' ');
  const own = { program: command.name, args: argumentForms(command.name, words), paths: pathsOf(command, words), text };
  return [own, ...carried(command.name, words).map(([program, ...args]) => ({ ...own, program, args: argumentForms(program, args) }))];
}

function unreadParts(command: Command, whole: string): readonly UnreadPart[] {
  const { name, text } = command;
  if (name === null) return [{ text, why: 'It cannot be told which program this starts.' }];
  const words = command.args.map((word) => word ?? '');
  const inline = isInlineProgram(name, words);
  if (inline === 'argument') return [{ text: withTexts(command), why: `The program text given to ${name} is not read.` }];
  if (inline === 'input') return [{ text: whole, why: `What ${name} reads as its program is not read.` }];
  if (foldText(name) !== name) return [{ text: foldText(text), why: 'The program has a name with look-alike or invisible characters.' }];
  return carried(name, words).some(
    ([program, ...args]) => isInlineProgram(program, args) !== 'none' || /^(?:ba|da|z|k|a)?sh$/.test(program),
  )
    ? [{ text, why: `What ${name} starts is not read.` }]
    : [];
}

/** Words say more than the source: quotes and escapes are resolved in them. */
function withTexts({ name, args, redirects }: Command): string {
  return [name, ...args, ...redirects.map(({ target }) => target)].filter((word) => word !== null).join(' ');
}

function distinct(parts: readonly UnreadPart[]): readonly UnreadPart[] {
  return [...new Map(parts.map((part) => [`${part.why}\n${part.text}`, part])).values()];
}
