import { foldText } from './fold.js';
import { argumentForms } from './options.js';
import type { CommandReading, SimpleCommand, UnreadPart } from './reading.js';

/** The parts of a rule's matcher, compiled; all that are there must fit the same command (V-2). */
export interface CommandMatcher {
  readonly program?: (name: string) => boolean;
  readonly args?: (joined: string) => boolean;
  readonly path?: (path: string) => boolean;
  readonly text?: (text: string) => boolean;
}

/** `sure` is decided as the rule says, `perhaps` one step stricter (V-3). */
export interface CommandMatch {
  readonly certainty: 'sure' | 'perhaps';
  /** The text of the command, or of the part that could not be read. */
  readonly matched: string;
  /** For `perhaps`: one sentence on what could not be read. */
  readonly why?: string;
}

/** Every way in which the rule fits: at most one of each certainty. */
export function matchCommands({ commands, unread }: CommandReading, matcher: CommandMatcher): readonly CommandMatch[] {
  const sure = commands.find((command) => fits(command, matcher));
  const perhaps = unread.find((part) => fitsText(part, matcher));
  return [
    ...(sure ? [{ certainty: 'sure' as const, matched: sure.text }] : []),
    ...(perhaps ? [{ certainty: 'perhaps' as const, matched: perhaps.text, why: perhaps.why }] : []),
  ];
}

function fits({ program, args, paths, text }: SimpleCommand, matcher: CommandMatcher): boolean {
  if (matcher.program && !matcher.program(program)) return false;
  if (matcher.args && !args.some(matcher.args)) return false;
  if (matcher.path && !paths.some(matcher.path)) return false;
  return !matcher.text || matcher.text(text);
}

/** What is behind a program's name in an unread text, up to here, counts as its arguments. */
const WINDOW = 32;
/** So many places are tried; a text with more of them is taken to fit. */
const MAX_TRIED = 500;

/**
 * Wherever the program's name stands in the text as a word of its own, what follows is taken for its arguments: nothing is known
 * about quotes in there.
 */
function fitsText(part: UnreadPart, matcher: CommandMatcher): boolean {
  const { text } = part;
  const words = wordsOf(part);
  if (matcher.path && !words.some(matcher.path)) return false;
  if (matcher.text && !matcher.text(text)) return false;
  if (!matcher.program) return !matcher.args || argumentForms('', words.slice(0, WINDOW)).some(matcher.args);
  const names = new Map<string, boolean>();
  let tried = 0;
  for (const [i, word] of words.entries()) {
    const name = /[^/=:!@+]*$/.exec(word)?.[0] ?? '';
    if (name === '') continue;
    const isNamed = names.get(name) ?? matcher.program(name);
    names.set(name, isNamed);
    if (!isNamed) continue;
    if (!matcher.args || ++tried > MAX_TRIED || argumentForms(name, words.slice(i + 1, i + 1 + WINDOW)).some(matcher.args)) return true;
  }
  return false;
}

const wordsByPart = new WeakMap<UnreadPart, readonly string[]>();

function wordsOf(part: UnreadPart): readonly string[] {
  const known = wordsByPart.get(part);
  if (known) return known;
  const words = foldText(part.text)
    .replace(/\\\n/g, '')
    .split(/[\s'"`()[\]{},;|&<>$\\]+/)
    .filter((word) => word !== '');
  wordsByPart.set(part, words);
  return words;
}
