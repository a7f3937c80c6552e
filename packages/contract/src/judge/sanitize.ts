import { headTail } from '@gated-flow/text';

/** Controls but line feed and tab, bidi and zero-width characters, and the invisible "tag" letters in which text can be smuggled. */
const UNSEEN = /[\x00-\x08\x0b-\x1f\x7f-\x9f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\p{Surrogate}\u{e0000}-\u{e0fff}]/gu;

/** A text as it may be shown to a judge: nothing invisible, at most `maxBytes`, as head and tail (C-6). */
export function sanitized(text: string, maxBytes: number): string {
  // Cut before cleaning too: a text of 100 MB must not be copied for its head and tail.
  const ends = text.length > maxBytes * 4 ? shortened(text, maxBytes * 2) : text;
  return shortened(ends.replace(UNSEEN, ''), maxBytes);
}

function shortened(text: string, maxBytes: number): string {
  const bytes = Buffer.from(text);
  const cut = headTail(bytes, maxBytes, (original, omitted) => `[${omitted} of ${original} bytes left out here]`);
  return Buffer.from(cut).toString('utf8');
}

/** A JSON string in which nothing can close a fence or a tag. */
export function quotedData(text: string): string {
  return JSON.stringify(text).replaceAll('<', '\\u003c').replaceAll('>', '\\u003e').replaceAll('`', '\\u0060');
}
