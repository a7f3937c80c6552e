/** A link or a code span of a text. */
export interface Mention {
  readonly kind: 'link' | 'code';
  readonly value: string;
}

/** The running text of one paragraph, heading or cell: code spans are one OBJECT each. */
export interface Passage {
  readonly text: string;
  /** With the place in `text` each stands at, in order. */
  readonly mentions: readonly (Mention & { readonly at: number })[];
  /** The place in the source of the output where each part of `text` begins, in order. */
  readonly origins: readonly { readonly at: number; readonly source: number }[];
}

export interface Sentence {
  readonly text: string;
  readonly mentions: readonly Mention[];
  /** In the source of the output. */
  readonly source: number;
}

/** Stands for a code span. */
export const OBJECT = '\ufffc';

const END = /[.!?…]+["'”’)\]*]*(?:\s*\[\d+(?:\s*[,;–-]\s*\d+)*\])*(?=\s|$)|[。！？]+|\n{1,}(?=\s*\|)|\n\n+|\u2028|\u2029/gu;
const ABBREVIATION = /(?:^|[\s(])(?:e\.g|i\.e|etc|vs|cf|approx|resp|Fig|No|Nr|Dr|Mr|Ms|St|ca|al|Sec|Vol|Eq|incl|[A-Z])\.$/u;

/** The sentences of a passage, in order. A citation behind the full stop belongs to the sentence before. */
export function sentencesOf(passage: Passage): readonly Sentence[] {
  const sentences: Sentence[] = [];
  let start = 0;
  let mention = 0;
  let origin = 0;
  const close = (end: number) => {
    const text = passage.text.slice(start, end);
    const mentions: Mention[] = [];
    for (let next = passage.mentions[mention]; next && next.at < end; next = passage.mentions[++mention]) mentions.push(next);
    const begin = start + (text.length - text.trimStart().length);
    while ((passage.origins[origin + 1]?.at ?? Infinity) <= begin) origin++;
    const from = passage.origins[origin] ?? { at: begin, source: 0 };
    if (text.trim() !== '') sentences.push({ text: withoutQuotes(text.trim()), mentions, source: from.source + begin - from.at });
    start = end;
  };
  for (const found of passage.text.matchAll(END)) {
    const end = found.index + found[0].length;
    if (
      found[0].startsWith('.') &&
      ABBREVIATION.test(passage.text.slice(Math.max(0, found.index - 10), found.index + 1)) &&
      end < passage.text.length
    )
      continue;
    close(end);
  }
  close(passage.text.length);
  return sentences;
}

const QUOTED = /"[^"\n]{1,400}"|“[^”\n]{1,400}”|«[^»\n]{1,400}»|„[^“”\n]{1,400}[“”]/gu;

/** What somebody else said is no claim; but a sentence that stands in quotes as a whole is one. */
function withoutQuotes(sentence: string): string {
  const outside = sentence.replace(QUOTED, '""');
  return /\p{L}/u.test(outside.replaceAll(OBJECT, '')) ? outside : sentence;
}
