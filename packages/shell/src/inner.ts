import type { Argument, Command } from './command.js';
import { splitOptions } from './options.js';
import type { Option } from './options.js';
import { SHELL_OPTIONS, SHELLS, STARTERS } from './starters.js';

/** What a command starts: other words, another shell text, or something that the text does not tell. */
export type Inner =
  | { readonly kind: 'words'; readonly words: readonly Argument[] }
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'unknown' };

const UNKNOWN: Inner = { kind: 'unknown' };
const APPENDED: Argument = { value: null, text: '' };

/** Everything the command starts in turn; `words` are its arguments. */
export function innerOf(command: Command, words: readonly Argument[]): readonly Inner[] {
  const name = command.name ?? '';
  if (SHELLS.has(name)) return [shell(command, words)].flat();
  if (STARTERS.has(name)) return started(name, words);
  switch (name) {
    case 'eval':
      return words.length === 0 ? [] : [text(words)];
    case 'trap':
      return trapped(words);
    case 'alias':
      return words.filter(({ text }) => text.includes('=')).map(aliasText);
    case 'find':
      return finds(words);
    case '.':
    case 'source':
      return isStandardInput(words[0]) || words[0]?.value === null ? [UNKNOWN] : [];
    case 'su':
      return [switched(words)];
    default:
      return [];
  }
}

function text(words: readonly Argument[]): Inner {
  const values = words.map(({ value }) => value);
  return values.includes(null) ? UNKNOWN : { kind: 'text', text: values.join(' ') };
}

function trapped(words: readonly Argument[]): readonly Inner[] {
  const [action, signal] = words[0]?.value === '--' ? words.slice(1) : words;
  return action && signal && action.value !== '-' ? [text([action])] : [];
}

function aliasText({ value }: Argument): Inner {
  return value === null ? UNKNOWN : { kind: 'text', text: value.slice(value.indexOf('=') + 1) };
}

function started(name: string, words: readonly Argument[]): readonly Inner[] {
  if (name === 'command' && /^-p?[vV]/.test(words[0]?.value ?? '')) return [];
  const split = splitOptions(words, STARTERS.get(name) ?? {});
  if (!split) return [UNKNOWN];
  const { options, rest } = split;
  const wholeText = options.find((option) => name === 'env' && (option.name === 'S' || option.name === 'split-string'));
  if (wholeText) return [text([{ value: wholeText.value, text: '' }, ...rest.map(quoted)])];
  if (name === 'xargs') return perItem(options, rest);
  return rest.length === 0 ? [] : [{ kind: 'words', words: rest }];
}

function quoted({ value, text: source }: Argument): Argument {
  return { value: value === null ? null : `'${value.replaceAll("'", `'\\''`)}'`, text: source };
}

/** `xargs` appends words, or puts them in a marker's place. Without a command it only prints. */
function perItem(options: readonly Option[], rest: readonly Argument[]): readonly Inner[] {
  if (rest.length === 0) return [];
  const replacing = options.find(({ name }) => name === 'I' || name === 'i' || name === 'replace');
  if (!replacing) return [{ kind: 'words', words: [...rest, APPENDED] }];
  return [{ kind: 'words', words: rest.map((word) => withoutMarker(word, replacing.value ?? '{}')) }];
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

function switched(words: readonly Argument[]): Inner {
  const at = words.findIndex(({ value }) => value === '-c' || value === '--command');
  return at === -1 ? UNKNOWN : text(words.slice(at + 1, at + 2));
}

function shell({ redirects }: Command, words: readonly Argument[]): readonly Inner[] {
  const split = splitOptions(words.map(plusAsMinus), SHELL_OPTIONS);
  if (!split) return [UNKNOWN];
  const { options, rest } = split;
  const has = (wanted: string) => options.some(({ name }) => name === wanted);
  const [script] = rest;
  if (has('help') || has('version')) return [];
  if (has('c')) return script ? [text([script])] : [UNKNOWN];
  if (script && !has('s') && !isStandardInput(script)) return script.value === null ? [UNKNOWN] : [];
  const given = redirects.filter(({ op }) => op.startsWith('<')).at(-1);
  if (!given?.op.startsWith('<<') || given.target === null) return [UNKNOWN];
  return [{ kind: 'text', text: given.target }];
}

function isStandardInput(word: Argument | undefined): boolean {
  return ['-', '/dev/stdin', '/dev/fd/0', '/proc/self/fd/0'].includes(word?.value ?? '');
}

/** `+x` unsets what `-x` sets; as far as finding the script goes, they are the same. */
function plusAsMinus(word: Argument): Argument {
  return word.value?.startsWith('+') ? { ...word, value: `-${word.value.slice(1)}` } : word;
}
