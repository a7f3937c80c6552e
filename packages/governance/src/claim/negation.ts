/** Words that take the claim back, up to WINDOW words before it in the same clause. */
const DENIES =
  /^(?:not|never|no|nor|neither|none|nothing|nobody|nowhere|without|cannot|cant|hardly|barely|scarcely|unable|unlikely|lacks?|lacking|fails?|failed|[a-z]+n't)$/;
/** Words that leave it open. */
const BOUNDS = /^(?:if|whether|unless|until|possibly|perhaps|probably|likely|presumably|maybe)$/;
/** Two words that leave it open: `should be verified`. */
const MODAL = /^(?:may|might|could|would|should|must|will|shall|can|to|needs?|remains?)$/;
/** Where what was said before no longer counts. */
const CLAUSE_END =
  /[,;:()–—]|\s-\s|(?<![\p{L}\p{N}_])(?:but|however|although|though|while|whereas|yet|because|since|so|therefore|thus|hence|(?:and|or)(?=\s+(?:it|this|that|the|these|those|we|i|they|all|everything|each|is|was|are|were|has|have|now)(?![\p{L}\p{N}_])))(?![\p{L}\p{N}_])/giu;
/** Negations that assert: `not only`, `no doubt`, `nothing but`. */
const EMPHASES =
  /(?<![\p{L}\p{N}_])(?:not\s+(?:only|just|merely|simply|solely|least)|(?:no|without(?:\s+a)?|beyond(?:\s+(?:a|any))?)\s+(?:shadow\s+of\s+a\s+)?(?:doubts?|questions?|exceptions?)|nothing\s+(?:but|less\s+than)|none\s+other\s+than|(?:cannot|can't|can\s+not)\s+be\s+(?:denied|disputed|doubted)|no\s+wonder|if\s+anything|why\s+not|no\s+less)(?![\p{L}\p{N}_])/giu;
/** `yet` behind one of these, and `so far`, say when, and end no clause: `haven't yet`, `nobody has yet`. */
const UP_TO_NOW =
  /(?<=(?<![\p{L}\p{N}_])(?:[a-z]+n't|cannot|not|never|no\s+one|nobody|nothing|none|as|is|are|was|were|be|been|has|have|had|do|does|did|can|could|will|would)\s+)yet(?![\p{L}\p{N}_])|(?<![\p{L}\p{N}_])so\s+far(?![\p{L}\p{N}_])/giu;
const WINDOW = 6;
const TAKEN_BACK =
  /^["'”’)\]*\s]*(?:[:?=–—]|->|→|-\s)\s*(?:no|not|none|false|n\/a|never|unknown|pending|todo|tbd|nothing)(?![\p{L}\p{N}_])/iu;

/** Whether the words around the term at `start` deny it or leave it open. */
export function isNegated(sentence: string, start: number, end: number): boolean {
  if (/(?:^|[^\p{L}\p{N}_])(?:non|not|un|never|in)[-\u2010\u2011]$/iu.test(sentence.slice(Math.max(0, start - 8), start))) return true;
  if (TAKEN_BACK.test(sentence.slice(end, end + 40))) return true;
  const words = wordsBefore(sentence, start);
  const denials = words.filter((word) => DENIES.test(word)).length;
  return denials % 2 === 1 || (denials === 0 && (words.some((word) => BOUNDS.test(word)) || isModal(words)));
}

const REACH = 400;

/** The last words of the clause, lower case. */
function wordsBefore(sentence: string, start: number): readonly string[] {
  const before = sentence
    .slice(Math.max(0, start - REACH), start)
    .replace(/’/g, "'")
    .replace(/(?<![\p{L}])(?:yet\s+to(?:\s+be)?|remains?\s+to\s+be)(?![\p{L}])/giu, 'not')
    .replace(UP_TO_NOW, ' ')
    .replace(EMPHASES, ',');
  const clause = before.split(CLAUSE_END).at(-1) ?? '';
  const words = clause.toLowerCase().match(/[\p{L}\p{N}_']+/gu) ?? [];
  return words.slice(-WINDOW);
}

/** `be` after a modal verb: `it should be fully verified`. */
function isModal(words: readonly string[]): boolean {
  return words.some(
    (word, i) => (word === 'be' || word === 'get') && words.slice(Math.max(0, i - 2), i).some((modal) => MODAL.test(modal)),
  );
}

/** Whether only a list's joint stands between two terms, so that what is said of the first holds for the second. */
export function isSameList(between: string): boolean {
  return /^\s*(?:,\s*)?(?:or|nor|and)?\s*(?:even\s+|fully\s+)?$/iu.test(between) && !/^\s*$/.test(between);
}
