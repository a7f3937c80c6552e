import type { CommandArgument, HereDoc, SyntaxNode, Word, WordPart } from 'unbash';
import type { Argument } from './command.js';

/** A word or an assignment in an argument's place (`export A=b`), with its value where the text tells it. */
export function argumentOf(node: CommandArgument, source: string): Argument {
  const text = sourceOf(node, source);
  if (node.type === 'Word') return { value: literal(node), text };
  if (node.value.type !== 'Word' || node.index) return { value: null, text };
  const value = literal(node.value);
  return { value: value === null ? null : `${node.name}${node.append ? '+' : ''}=${value}`, text };
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
