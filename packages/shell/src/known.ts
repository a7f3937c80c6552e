import { forEachChild } from 'unbash';
import type { Assignment, Command as CommandNode, SyntaxNode, Word } from 'unbash';

/** What a text says about its own names, wherever it says it: used to guess what an expansion stands for, never to exclude anything. */
export interface Known {
  /** The values that the text gives a variable, undefined for one it does not tell; the words of an array are apart by WORD_BREAK. */
  readonly variables: Map<string, (string | undefined)[]>;
  readonly aliases: Map<string, string>;
  /** Functions that start what they are given (`run() { "$@"; }`). */
  readonly runners: Set<string>;
}

/** Stands between the words that one expansion gives. Shell texts hold no zero byte. */
export const WORD_BREAK = '\0';

const MAX_VALUES = 8;
const STARTS_ARGUMENT = /^"?\$(?:[@*1]|\{[@*1]\})"?$/;

export function nothingKnown(): Known {
  return { variables: new Map([['IFS', [' ']]]), aliases: new Map(), runners: new Set() };
}

/** The same, for a text that is given words: `$0`, `$1`, `$@`. */
export function withPositional(known: Known, words: readonly string[]): Known {
  if (words.length === 0) return known;
  const variables = new Map(known.variables);
  words.slice(0, 10).forEach((word, i) => variables.set(String(i), [word]));
  for (const name of ['@', '*']) variables.set(name, [words.slice(1).join(WORD_BREAK)]);
  return { ...known, variables };
}

/** Notes what the tree says. `valueOf` gives a word's value, if the words before it tell. */
export function learn(root: SyntaxNode, known: Known, valueOf: (word: Word) => string | null): void {
  const waiting: SyntaxNode[] = [root];
  for (let node = waiting.pop(); node; node = waiting.pop()) {
    if (node.type === 'Assignment') assign(node, known, valueOf);
    if (node.type === 'Command') learnFromCommand(node, known, valueOf);
    if ((node.type === 'For' || node.type === 'Select') && node.wordlist)
      for (const word of node.wordlist) give(known, node.name.value, valueOf(word));
    if (node.type === 'Function' && startsItsArguments(node)) known.runners.add(node.name.value);
    const inside: SyntaxNode[] = [];
    forEachChild(node, (child) => void inside.push(child));
    for (const child of inside.reverse()) waiting.push(child);
  }
}

function assign({ name, value, append }: Assignment, known: Known, valueOf: (word: Word) => string | null): void {
  const words = value.type === 'Word' ? [valueOf(value)] : value.elements.map(valueOf);
  if (words.includes(null)) return give(known, name, null);
  const given = words.join(WORD_BREAK);
  if (!append) give(known, name, given);
  else
    for (const before of known.variables.get(name) ?? [''])
      give(known, name, before === undefined ? null : before + (value.type === 'Word' ? '' : WORD_BREAK) + given);
}

const MAX_VALUE = 4096;

function give({ variables }: Known, name: string, value: string | null): void {
  const values = variables.get(name) ?? [];
  const told = value === null || value.length > MAX_VALUE ? undefined : value;
  if (values.length < MAX_VALUES && !values.includes(told)) variables.set(name, [...values, told]);
}

function learnFromCommand({ name, args }: CommandNode, known: Known, valueOf: (word: Word) => string | null): void {
  if (name?.value === 'alias') {
    for (const arg of args) {
      const text = arg.type === 'Word' ? valueOf(arg) : arg.value.type === 'Word' ? `${arg.name}=${valueOf(arg.value) ?? ''}` : null;
      const [, alias, meaning] = /^([^=]+)=([\s\S]+)$/.exec(text ?? '') ?? [];
      if (alias !== undefined && meaning !== undefined) known.aliases.set(alias, meaning);
    }
  }
  if (name?.value === 'set' && args[0]?.type === 'Word' && args[0].value === '--') {
    const words = args.slice(1).map((arg) => (arg.type === 'Word' ? (valueOf(arg) ?? arg.text) : arg.text));
    words.slice(0, 9).forEach((word, i) => give(known, String(i + 1), word));
    for (const every of ['@', '*']) give(known, every, words.join(WORD_BREAK));
  }
}

function startsItsArguments(root: SyntaxNode): boolean {
  const waiting: SyntaxNode[] = [root];
  for (let node = waiting.pop(); node; node = waiting.pop()) {
    if (node.type === 'Command' && [node.name, ...node.args].some((word) => word?.type === 'Word' && isStarted(word, node))) return true;
    forEachChild(node, (child) => void waiting.push(child));
  }
  return false;
}

/** In the program's place, or behind a program that starts another one (`sudo "$@"`). */
function isStarted(word: Word, { name }: CommandNode): boolean {
  return (
    STARTS_ARGUMENT.test(word.text) &&
    (word === name || !/^(?:echo|printf|test|\[|log|cat|grep|shift|local|return)$/.test(name?.value ?? ''))
  );
}
