import type { Predicate } from './predicate.js';
import { readSentence } from './sentence.js';
import type { ReadSentence } from './sentence.js';
import { PHRASES } from './table.js';
import type { Phrase } from './table.js';

export type CompiledSentence =
  | { readonly ok: true; readonly predicate: Predicate; readonly phrase: Phrase }
  /** `message` when the form is known and what it was given cannot be used. */
  | { readonly ok: false; readonly message?: string };

/** A sentence by the closed grammar (C-4). `subject` is what it speaks of when it names neither input nor output. */
export function compileSentence(text: string, subject: 'input' | 'output'): CompiledSentence {
  const sentence = readSentence(text);
  for (const phrase of PHRASES) {
    const groups = groupsOf(phrase, sentence);
    if (!groups) continue;
    const predicate = phrase.make({ groups, literals: sentence.literals, subject });
    return typeof predicate === 'string' ? { ok: false, message: predicate } : { ok: true, predicate, phrase };
  }
  return { ok: false };
}

function groupsOf(phrase: Phrase, { words }: ReadSentence): Readonly<Record<string, string | undefined>> | undefined {
  for (const pattern of phrase.patterns) {
    const found = pattern.exec(words);
    if (found) return found.groups ?? {};
  }
  return undefined;
}

/** A sentence that a program could decide and that shares the most words with this one; undefined when none is near. */
export function nearestExample(text: string): string | undefined {
  const wanted = wordsOf(text);
  const scored = PHRASES.flatMap(({ examples }) =>
    examples.map((example) => ({ example, score: likeness(wanted, wordsOf(example.text)) })),
  );
  const best = scored.sort((a, b) => b.score - a.score)[0];
  return best && best.score >= 0.25 ? best.example.text : undefined;
}

const COMMON = new Set(['the', 'a', 'an', 'is', 'be', 'of', 'to', 'in', 'with', 'and', 'or', 'not', 'does', 'do', 'than', 'any', 'if']);

/** Words without their endings, so that "completes" is like "complete". */
function wordsOf(text: string): Set<string> {
  const words = text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  return new Set(words.filter((word) => !COMMON.has(word)).map((word) => word.replace(/(?:es|s|e|ing)$/, '')));
}

function likeness(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  const shared = [...a].filter((word) => b.has(word)).length;
  return shared / Math.max(1, a.size + b.size - shared);
}
