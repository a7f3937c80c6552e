import type { Argument, Command } from './command.js';
import { splitOptions } from './options.js';
import { startedByGit } from './git.js';
import {
  PARALLEL_OPTIONS,
  SCRIPT_OPTIONS,
  SHELL_OPTIONS,
  SHELLS,
  SSH_OPTIONS,
  STARTED_BEHIND_OPTIONS,
  STARTERS,
  WATCH_OPTIONS,
} from './starters.js';

/** What a command starts: other words, another shell text, or something that the text does not tell. */
export type Inner =
  | { readonly kind: 'words'; readonly words: readonly Argument[] }
  | { readonly kind: 'text'; readonly text: string; readonly positional?: readonly Argument[] }
  | { readonly kind: 'unknown' };

const UNKNOWN: Inner = { kind: 'unknown' };
const APPENDED: Argument = { value: null, text: '' };

/** What a command has besides its words. */
export interface Surroundings {
  readonly command: Command;
  /** What it reads, if the text tells. */
  readonly input: string | undefined;
}

/** Everything the command starts in turn; `words` are its arguments. */
export function innerOf(words: readonly Argument[], surroundings: Surroundings): readonly Inner[] {
  const { command, input } = surroundings;
  const name = command.name ?? '';
  if (SHELLS.has(name)) return shell(words, surroundings);
  if (name === 'xargs') return perItem(words, input);
  if (STARTERS.has(name)) return started(name, words);
  switch (name) {
    case 'eval':
      return words.length === 0 ? [] : text(words);
    case 'trap':
      return trapped(words);
    case 'git':
      return startedByGit(words);
    case 'ssh':
      return remote(words, surroundings);
    case 'watch':
      return watched(words);
    case 'parallel':
      return inParallel(words, input);
    case 'alias':
      return words.filter(({ text }) => text.includes('=')).flatMap(aliasText);
    case 'find':
      return finds(words);
    case '.':
    case 'source':
      return sourced(words[0], surroundings);
    case 'flock':
    case 'runuser':
    case 'script':
    case 'su':
      return byOption(words, name);
    default:
      return [];
  }
}

function text(words: readonly Argument[], positional: readonly Argument[] = []): readonly Inner[] {
  const values = words.map(({ value }) => value);
  if (values.includes(null)) return [UNKNOWN];
  const found: Inner = { kind: 'text', text: values.join(' '), positional };
  return words.some(({ uncertain }) => uncertain) ? [found, UNKNOWN] : [found];
}

function trapped(words: readonly Argument[]): readonly Inner[] {
  const [action, signal] = words[0]?.value === '--' ? words.slice(1) : words;
  return action && signal && action.value !== '-' ? text([action]) : [];
}

function aliasText(word: Argument): readonly Inner[] {
  return text([{ ...word, value: word.value === null ? null : word.value.slice(word.value.indexOf('=') + 1) }]);
}

function started(name: string, words: readonly Argument[]): readonly Inner[] {
  if (name === 'command' && /^-p?[vV]/.test(words[0]?.value ?? '')) return [];
  const split = splitOptions(words, STARTERS.get(name) ?? {});
  if (!split) return [UNKNOWN];
  const { options, rest } = split;
  const wholeText = options.find((option) => name === 'env' && (option.name === 'S' || option.name === 'split-string'));
  if (wholeText) return text([{ value: wholeText.value, text: '' }, ...rest.map(quoted)]);
  return rest.length === 0 ? [] : [{ kind: 'words', words: rest }];
}

/** The word as a shell would have to be given it. */
export function quoted(word: Argument): Argument {
  return { ...word, value: word.value === null ? null : `'${word.value.replaceAll("'", `'\\''`)}'` };
}

/** `xargs` appends words, or puts them in a marker's place. Without a command it only prints. */
function perItem(words: readonly Argument[], input: string | undefined): readonly Inner[] {
  const split = splitOptions(words, STARTERS.get('xargs') ?? {});
  if (!split) return [UNKNOWN];
  const { options, rest } = split;
  if (rest.length === 0) return [];
  const replacing = options.find(({ name }) => name === 'I' || name === 'i' || name === 'replace');
  if (!replacing) return [{ kind: 'words', words: [...rest, ...(input === undefined ? [APPENDED] : wordsOf(input))] }];
  const lines = input?.split('\n').filter((line) => line !== '') ?? [];
  if (lines.length === 0 || lines.length > MAX_ITEMS) {
    return [{ kind: 'words', words: rest.map((word) => withoutMarker(word, replacing.value ?? '{}')) }];
  }
  return lines.map((line) => ({ kind: 'words', words: rest.map((word) => filled(word, replacing.value ?? '{}', line)) }));
}

const MAX_ITEMS = 100;

function wordsOf(input: string): readonly Argument[] {
  return input
    .split(/[\s\0]+/)
    .filter((word) => word !== '')
    .map((word) => ({ value: word, text: word }));
}

function filled(word: Argument, marker: string, item: string): Argument {
  return { ...word, value: word.value?.replaceAll(marker, () => item) ?? null };
}

function withoutMarker(word: Argument, marker: string): Argument {
  return word.value?.includes(marker) ? { ...word, value: null } : word;
}

const FIND_STARTS = new Set(['-exec', '-execdir', '-ok', '-okdir']);

function finds(words: readonly Argument[]): readonly Inner[] {
  const found: Inner[] = [];
  for (let at = 0; at < words.length; at++) {
    if (!FIND_STARTS.has(words[at]?.value ?? '')) continue;
    const begin = at + 1;
    while (at < words.length && !endsFindCommand(words, at)) at++;
    found.push({ kind: 'words', words: words.slice(begin, at).map((word) => withoutMarker(word, '{}')) });
  }
  return found;
}

function endsFindCommand(words: readonly Argument[], at: number): boolean {
  const value = words[at]?.value;
  return value === ';' || (value === '+' && words[at - 1]?.value === '{}');
}

/** `su -c TEXT`, `flock FILE -c TEXT`, `script -c TEXT`, or the words of a command. */
function byOption(words: readonly Argument[], name: string): readonly Inner[] {
  const at = words.findIndex(({ value }) => value === '--command' || /^-[a-z]*c$/.test(value ?? ''));
  if (at !== -1) return text(words.slice(at + 1, at + 2));
  const joined = words.find(({ value }) => value?.startsWith('--command='));
  if (joined) return text([{ ...joined, value: joined.value?.slice('--command='.length) ?? null }]);
  if (name === 'script') return behindFile(words);
  if (name === 'su') return [UNKNOWN];
  const split = splitOptions(words, STARTED_BEHIND_OPTIONS);
  if (!split) return [UNKNOWN];
  const rest = name === 'flock' ? split.rest.slice(1) : split.rest;
  return rest.length === 0 ? [] : [{ kind: 'words', words: rest }];
}

/** Where no option of `script` gives a text, what follows the file is a command: in some systems at once, in others behind `--`. */
function behindFile(words: readonly Argument[]): readonly Inner[] {
  const rest = splitOptions(words, SCRIPT_OPTIONS)?.rest.slice(1) ?? [];
  const command = rest[0]?.value === '--' ? rest.slice(1) : rest;
  return command.length === 0 ? [] : [{ kind: 'words', words: command }];
}

function shell(words: readonly Argument[], surroundings: Surroundings): readonly Inner[] {
  const split = splitOptions(words.map(plusAsMinus), SHELL_OPTIONS);
  if (!split) return [UNKNOWN];
  const { options, rest } = split;
  const has = (wanted: string) => options.some(({ name }) => name === wanted);
  const [script] = rest;
  if (has('help') || has('version')) return [];
  if (has('c')) return script ? text([script], rest.slice(1)) : [UNKNOWN];
  if (script && !has('s') && !isStandardInput(script)) return isUnread(script) ? [UNKNOWN] : [];
  return fromInput(surroundings);
}

function sourced(file: Argument | undefined, surroundings: Surroundings): readonly Inner[] {
  if (isStandardInput(file)) return fromInput(surroundings);
  return isUnread(file) ? [UNKNOWN] : [];
}

/** A shell that reads its text: from a here-document, a here-string or a pipe. */
function fromInput({ command, input }: Surroundings): readonly Inner[] {
  const given = command.redirects.filter(({ op }) => op.startsWith('<')).at(-1);
  if (!given) return input === undefined ? [UNKNOWN] : [{ kind: 'text', text: input }];
  return given.op.startsWith('<<') && given.target !== null ? [{ kind: 'text', text: given.target }] : [UNKNOWN];
}

/** The words behind `ssh HOST` are a text for the shell over there. */
function remote(words: readonly Argument[], surroundings: Surroundings): readonly Inner[] {
  const before = splitOptions(words, SSH_OPTIONS);
  const behind = before && splitOptions(before.rest.slice(1), SSH_OPTIONS);
  if (!behind) return [UNKNOWN];
  if (behind.rest.length > 0) return text(behind.rest);
  const isGiven = surroundings.input !== undefined || surroundings.command.redirects.some(({ op }) => op.startsWith('<'));
  return isGiven ? fromInput(surroundings) : [];
}

function watched(words: readonly Argument[]): readonly Inner[] {
  const split = splitOptions(words, WATCH_OPTIONS);
  if (!split) return [UNKNOWN];
  return split.rest.length === 0 ? [] : text(split.rest);
}

/** GNU parallel makes a shell text for each item behind `:::` or in its input; without a command the items are the texts. */
function inParallel(words: readonly Argument[], input: string | undefined): readonly Inner[] {
  const split = splitOptions(words, PARALLEL_OPTIONS);
  if (!split) return [UNKNOWN];
  const at = split.rest.findIndex(({ value }) => value?.startsWith(':::'));
  const command = at === -1 ? split.rest : split.rest.slice(0, at);
  const items = at === -1 ? wordLines(input) : split.rest.slice(at + 1).filter(({ value }) => !value?.startsWith(':::'));
  if (items.length === 0 || items.length > MAX_ITEMS)
    return command.length === 0 ? [UNKNOWN] : text([...command, { value: "''", text: '' }]);
  if (command.length === 0) return items.flatMap((item) => text([item]));
  const isMarked = command.some(({ value }) => value?.includes('{}'));
  return items.flatMap((item) => text(isMarked ? command.map((word) => filled(word, '{}', item.value ?? item.text)) : [...command, item]));
}

function wordLines(input: string | undefined): readonly Argument[] {
  return input?.split('\n').flatMap((line) => (line === '' ? [] : [{ value: line, text: line }])) ?? [];
}

function isStandardInput(word: Argument | undefined): boolean {
  return ['-', '/dev/stdin', '/dev/fd/0', '/proc/self/fd/0'].includes(word?.value ?? '');
}

/** A script whose text comes from elsewhere than a file. */
function isUnread(word: Argument | undefined): boolean {
  if (/^\/(?:dev|proc\/self)\/fd\/\d+$/.test(word?.value ?? '')) return true;
  return isStandardInput(word) || word?.value === null || (word?.value.startsWith('<(') ?? false);
}

/** `+x` unsets what `-x` sets; as far as finding the script goes, they are the same. */
function plusAsMinus(word: Argument): Argument {
  return word.value?.startsWith('+') ? { ...word, value: `-${word.value.slice(1)}` } : word;
}
