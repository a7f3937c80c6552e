/** A clause's sentence with what stands in quotes, or as an expression between slashes, taken out of the words. */
export interface ReadSentence {
  /** Words with `⟦0⟧` for the first literal; white space collapsed, no full stop. */
  readonly words: string;
  readonly literals: readonly Literal[];
}

export interface Literal {
  readonly text: string;
  /** An expression between slashes: its flags. */
  readonly flags?: string;
}

const LITERAL =
  /"(?<double>[^"]*)"|'(?<single>[^']*)'(?=[\s,.]|$)|`(?<back>[^`]*)`|(?<=\bmatch(?:es|ing)? )\/(?<pattern>(?:[^/\\]|\\.)+)\/(?<flags>[ims]*)(?=[\s.]|$)/g;

export function readSentence(text: string): ReadSentence {
  const literals: Literal[] = [];
  let words = '';
  let done = 0;
  for (const { 0: whole, index, groups = {} } of text.matchAll(LITERAL)) {
    const { double, single, back, pattern, flags } = groups;
    words += `${text.slice(done, index)}⟦${literals.length}⟧`;
    literals.push(pattern === undefined ? { text: double ?? single ?? back ?? '' } : { text: pattern, flags: flags ?? '' });
    done = index + whole.length;
  }
  words += text.slice(done);
  return { words: words.replace(/\s+/g, ' ').trim().replace(/\.$/, ''), literals };
}

/** The literals that a piece of the words names, in order. */
export function literalsIn(piece: string | undefined, literals: readonly Literal[]): Literal[] {
  return [...(piece ?? '').matchAll(/⟦(\d+)⟧/g)].flatMap(([, index]) => literals[Number(index)] ?? []);
}
