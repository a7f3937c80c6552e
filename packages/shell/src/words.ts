import type { CommandArgument, HereDoc, ParameterExpansionPart, SyntaxNode, Word, WordPart } from 'unbash';
import type { Argument } from './command.js';
import { WORD_BREAK } from './known.js';

/** The value that a variable is taken to have; undefined when the text does not say. */
export type Pick = (name: string) => string | undefined;

/** A word or an assignment in an argument's place (`export A=b`), with its value where the text tells it. */
export function argumentOf(node: CommandArgument, source: string): Argument {
  const text = sourceOf(node, source);
  if (node.type === 'Word') return { value: literal(node), text };
  if (node.value.type !== 'Word' || node.index) return { value: null, text };
  const value = literal(node.value);
  return { value: value === null ? null : `${node.name}${node.append ? '+' : ''}=${value}`, text };
}

/** The words that an argument probably becomes. What cannot be told stands there as it is written, and is marked. */
export function guessedArguments(node: CommandArgument, source: string, pick: Pick): readonly Argument[] {
  const text = sourceOf(node, source);
  if (node.type !== 'Word') {
    const guessed = node.value.type === 'Word' ? guess(node.value, pick) : { value: text.slice(node.name.length + 1), known: false };
    return [{ value: `${node.name}=${guessed.value.replaceAll(WORD_BREAK, ' ')}`, text, uncertain: !guessed.known }];
  }
  const { value, known } = guess(node, pick);
  if (!value.includes(WORD_BREAK)) return [{ value, text, uncertain: !known }];
  const words = value.split(WORD_BREAK).filter((word) => word !== '');
  return words.map((word, i) => ({ value: word, text: i === 0 ? text : word, uncertain: !known }));
}

/** A word's value when variables are what `pick` says; null when it still cannot be told. */
export function guessedValue(word: Word, pick: Pick): string | null {
  const { value, known } = guess(word, pick);
  return known ? value : null;
}

export function sourceOf(node: SyntaxNode, source: string): string {
  return source.slice(node.pos, node.end);
}

function literal(word: Word): string | null {
  return word.parts?.every(isLiteral) === false ? null : word.value;
}

function isLiteral(part: WordPart): boolean {
  if (part.type === 'DoubleQuoted' || part.type === 'LocaleString') return part.parts.every(isLiteral);
  return part.type === 'Literal' || part.type === 'SingleQuoted' || part.type === 'AnsiCQuoted';
}

/** The text that a here-document gives. An unquoted one with expansions or backslashes is not what it looks like: null. */
export function hereDocument({ body, delimiter }: HereDoc): string | null {
  return delimiter?.quoted || !/[$`\\]/.test(body.text) ? body.text : null;
}

interface Guess {
  readonly value: string;
  readonly known: boolean;
}

function guess(word: Word, pick: Pick): Guess {
  if (!word.parts) return { value: word.value, known: true };
  const parts = word.parts.map((part) => ({ ...guessPart(part, pick, false), isBrace: part.type === 'BraceExpansion' }));
  return parts.some(({ isBrace, known }) => isBrace && known) ? spread(parts) : joined(parts);
}

const MAX_SPREAD = 64;

/** `r{m,x}` is `rm` and `rx`: what stands around braces belongs to each word. */
function spread(parts: readonly (Guess & { readonly isBrace: boolean })[]): Guess {
  let words = [''];
  for (const { value, known, isBrace } of parts) {
    const choices = isBrace && known ? value.split(WORD_BREAK) : [value];
    if (words.length * choices.length > MAX_SPREAD) return joined(parts);
    words = words.flatMap((word) => choices.map((choice) => word + choice));
  }
  return { value: words.join(WORD_BREAK), known: parts.every(({ known }) => known) };
}

function joined(guesses: readonly Guess[]): Guess {
  return { value: guesses.map(({ value }) => value).join(''), known: guesses.every(({ known }) => known) };
}

function guessPart(part: WordPart, pick: Pick, isQuoted: boolean): Guess {
  switch (part.type) {
    case 'Literal':
    case 'SingleQuoted':
    case 'AnsiCQuoted':
      return { value: part.value, known: true };
    case 'DoubleQuoted':
    case 'LocaleString':
      return joined(part.parts.map((child) => guessPart(child, pick, true)));
    case 'SimpleExpansion':
      return split(pick(part.text.slice(1)), part.text, isQuoted ? null : pick);
    case 'ParameterExpansion':
      return split(parameter(part, pick), part.text, isQuoted ? null : pick);
    case 'CommandExpansion':
      return split(part.script ? written(part.script.commands, pick) : undefined, part.text, isQuoted ? null : pick);
    case 'BraceExpansion':
      return braces(part.text);
    default:
      return { value: part.text, known: false };
  }
}

/** Without quotes around it (`pick` is null then), a value is several words: apart by blanks, or by what the text sets `IFS` to. */
function split(value: string | undefined, text: string, pick: Pick | null): Guess {
  if (value === undefined) return { value: text, known: false };
  if (pick === null) return { value, known: true };
  const separators = pick('IFS') ?? BLANKS;
  const isApart = (character: string): boolean => (separators === ' ' ? BLANKS : separators).includes(character);
  return { value: [...value].map((character) => (isApart(character) ? WORD_BREAK : character)).join(''), known: true };
}

const BLANKS = ' \t\n';

function parameter({ parameter: name, prefix, operation }: ParameterExpansionPart, pick: Pick): string | undefined {
  if (prefix !== undefined) return undefined;
  const value = pick(name);
  if (!operation) return value;
  if (operation.type !== 'Default' || operation.operator.endsWith('?')) return undefined;
  const instead = guessedValue(operation.operand, pick) ?? undefined;
  return operation.operator.endsWith('+') ? instead : (value ?? instead);
}

/** `{rm,-rf}` without anything inside is two words. */
function braces(text: string): Guess {
  const [, inside] = /^\{([\w./,+=:@%-]*,[\w./,+=:@%-]*)\}$/.exec(text) ?? [];
  return inside === undefined ? { value: text, known: false } : { value: inside.replaceAll(',', WORD_BREAK), known: true };
}

/** What `$(echo rm)` and `$(command -v rm)` write. */
function written(commands: readonly { readonly command: SyntaxNode }[], pick: Pick): string | undefined {
  const [statement, second] = commands;
  const node = statement?.command;
  if (second || node?.type !== 'Command' || !node.name || node.redirects.length > 0) return undefined;
  const words = node.args.map((arg) => (arg.type === 'Word' ? guessedValue(arg, pick) : null));
  const values = words.filter((word) => word !== null);
  if (values.length < words.length) return undefined;
  const text = outputOf(node.name.value, values);
  if (text !== undefined) return text.replace(/\n+$/, '');
  if (node.name.value === 'which' || (node.name.value === 'command' && values[0] === '-v')) return values.at(-1);
  return undefined;
}

/** What `echo` or `printf` writes; undefined for other programs. */
export function outputOf(program: string, values: readonly string[]): string | undefined {
  if (program === 'echo') {
    const at = values.findIndex((value) => !/^-[neE]+$/.test(value));
    const words = at === -1 ? [] : values.slice(at);
    const text = `${words.join(' ')}\n`;
    return values.slice(0, at === -1 ? values.length : at).some((option) => option.includes('e')) ? unescaped(text) : text;
  }
  if (program !== 'printf') return undefined;
  const [format = '', ...rest] = values[0] === '--' ? values.slice(1) : values;
  let next = 0;
  const text = unescaped(format).replace(/%(?:%|[-+ #0-9.]*[a-zA-Z])/g, (found) => (found === '%%' ? '%' : (rest[next++] ?? '')));
  return [text, ...rest.slice(next)].join(' ');
}

function unescaped(text: string): string {
  return text.replace(/\\(?:x([0-9a-fA-F]{1,2})|0?([0-7]{1,3})|([nrt\\]))/g, (_, hex?: string, octal?: string, letter?: string) => {
    if (hex !== undefined) return String.fromCharCode(parseInt(hex, 16));
    if (octal !== undefined) return String.fromCharCode(parseInt(octal, 8));
    return { n: '\n', r: '\r', t: '\t' }[letter ?? ''] ?? '\\';
  });
}
