/** What a text asks for, without what it says not to do (V-6). */

const NEGATION = String.raw`\b(?:do(?:es)? not|don['’]?t|doesn['’]?t|must not|mustn['’]?t|should not|shouldn['’]?t|shall not|can ?not|can['’]?t|may not|will not|won['’]?t|never|without|neither|nor|not to|instead of|rather than|avoid|refrain from|no(?! (?:matter|doubt)))\b`;
/** What turns the negation round again: `do not forget to deploy`. */
const UNDONE = String.raw`(?! (?:only|just|merely|forget|fail|hesitate|neglect|omit|need to wait|skip))`;
/** A negation reaches to the end of its clause, and not far. */
const STRETCH = String.raw`(?:(?!\b(?:but|however|then|unless|until|except|otherwise)\b)[^.,;:!?\n()]){0,120}`;

const NEGATED = new RegExp(NEGATION + UNDONE + STRETCH, 'giu');

/** The text with each negated stretch replaced by `…`. */
export function affirmed(text: string): string {
  return text.replace(NEGATED, '…');
}
