import { foldText } from '../command/fold.js';
import { isNegated, isSameList } from './negation.js';

/** The strong words of a contract: found as whole words, whatever their case. `verif*` stands for every word that begins so. */
export interface Terms {
  /** Whether the text may hold one, however its letters are marked up. Never wrong when it says no, save for what is spelled by entities. */
  mayHold(text: string): boolean;
  /** The terms that the sentence claims: each once, as the contract writes them. Denied and open ones are none. */
  claimedIn(sentence: string): readonly string[];
}

export function compileTerms(words: readonly string[]): Terms {
  const wanted = [...new Set(words.map((word) => word.trim().toLowerCase()).filter((word) => word !== '' && word !== '*'))];
  // Longest first, so that `fully verified` is not taken for `verified`.
  wanted.sort((a, b) => b.length - a.length);
  if (wanted.length === 0) return { mayHold: () => false, claimedIn: () => [] };
  const pattern = new RegExp(
    `(?<![\\p{L}\\p{N}_])(?:${wanted.map((word) => `(${expressionOf(word)})`).join('|')})(?![\\p{L}\\p{N}_])`,
    'giu',
  );
  const anywhere = new RegExp(wanted.map(expressionOf).join('|'), 'iu');
  return {
    mayHold: (text) => anywhere.test(text) || anywhere.test(foldText(text.replace(/[*_~\\]/g, ''))),
    claimedIn: (sentence) => claimedIn(foldText(sentence.replace(COLOUR, '')), pattern, wanted),
  };
}

/** A terminal shows nothing of these, and they would stand before a word like a letter. */
const COLOUR = /\u001b\[[\d;]{0,40}[A-Za-z]/g;

function expressionOf(word: string): string {
  const isStem = word.endsWith('*');
  const escaped = (isStem ? word.slice(0, -1) : word).replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&').replace(/\s+/g, '\\s+');
  return isStem ? `${escaped}[\\p{L}\\p{N}_]*` : escaped;
}

function claimedIn(sentence: string, pattern: RegExp, wanted: readonly string[]): readonly string[] {
  if (isQuestion(sentence)) return [];
  const claimed = new Set<string>();
  let before = { end: 0, denied: false };
  for (const found of sentence.matchAll(pattern)) {
    const end = found.index + found[0].length;
    const isListed = before.denied && isSameList(sentence.slice(before.end, found.index));
    const denied = isListed || isNegated(sentence, found.index, end);
    if (!denied) claimed.add(wanted[found.slice(1).findIndex((group) => group !== undefined)] ?? found[0]);
    before = { end, denied };
  }
  return [...claimed];
}

function isQuestion(sentence: string): boolean {
  return /[?？]["'”’)\]*_\s]*(?:\[\d+\]\s*)*$/u.test(sentence);
}
