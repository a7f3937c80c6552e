import type { Terms } from './terms.js';

/** A part of an output that may hold a claim. */
export interface Piece {
  readonly text: string;
  /** Where it begins in the output; 0 for a string of a JSON document. */
  readonly offset: number;
  /** Of the string, in a JSON document. */
  readonly pointer?: string;
}

/** Up to this many characters a text is read as a whole. */
const WHOLE = 64 * 1024;
const MAX_PIECE = 64 * 1024;
/** The parser costs more to start than a few blocks cost to read. */
const MIN_PIECE = 4 * 1024;

/** What has to be read: of a long text only the blocks that may hold a strong word, so that megabytes of log cost little. */
export function* piecesOf(output: string, format: 'markdown' | 'json', terms: Terms): Generator<Piece> {
  const parsed = format === 'json' ? parsedJson(output) : undefined;
  if (!parsed) yield* textPieces(output, terms);
  else for (const { text, pointer } of stringsOf(parsed.value)) for (const piece of textPieces(text, terms)) yield { ...piece, pointer };
}

/** An output that is no JSON is read as text: the check of its schema says that it is none. */
function parsedJson(text: string): { readonly value: unknown } | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return { value };
  } catch {
    return undefined;
  }
}

/** In document order, without recursion. */
function* stringsOf(value: unknown): Generator<{ readonly text: string; readonly pointer: string }> {
  const waiting: { readonly value: unknown; readonly pointer: string }[] = [{ value, pointer: '' }];
  for (let node = waiting.pop(); node; node = waiting.pop()) {
    const { pointer } = node;
    if (typeof node.value === 'string') yield { text: node.value, pointer };
    else if (typeof node.value === 'object' && node.value !== null) {
      const entries: [string, unknown][] = Object.entries(node.value);
      for (const [key, inside] of entries.reverse())
        waiting.push({ value: inside, pointer: `${pointer}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}` });
    }
  }
}

function* textPieces(text: string, terms: Terms): Generator<Piece> {
  if (text.length <= WHOLE) {
    // An entity can spell any letter.
    if (text.includes('&') || terms.mayHold(text)) yield { text, offset: 0 };
    return;
  }
  for (const block of blocksOf(text)) if (terms.mayHold(block.text)) yield block;
}

/** A fence, also one in a list or a quote. Behind back-quotes none may follow in the line. */
const FENCE = /^[ \t>*+-]*(?:\d{1,9}[.)][ \t]+)?(`{3,}(?=[^`]*$)|~{3,})/;

/**
 * A long text at its blank lines outside fences; fenced code is left out. A fence that nothing closes is taken for none, which only
 * asks for more. A block that is too long is cut at a line's end.
 */
function* blocksOf(text: string): Generator<Piece> {
  let start = 0;
  let fence: { readonly mark: string; readonly at: number } | undefined;
  for (let at = 0; at < text.length;) {
    const end = lineEnd(text, at);
    const line = at === 0 || text[at - 1] === '\n' ? text.slice(at, end).trimEnd() : '';
    const [opening = '', mark] = FENCE.exec(line) ?? [];
    if (fence !== undefined) {
      if (mark?.startsWith(fence.mark) && opening.length === line.length) {
        fence = undefined;
        start = end;
      }
    } else if (mark !== undefined) {
      yield { text: text.slice(start, at), offset: start };
      fence = { mark, at };
    } else if (end - start >= MAX_PIECE || (line === '' && end - start >= MIN_PIECE && text.slice(at, end).trim() === '')) {
      yield { text: text.slice(start, end), offset: start };
      start = end;
    }
    at = end;
  }
  if (fence === undefined) yield { text: text.slice(start), offset: start };
  else yield* linesOf(text, fence.at);
}

function* linesOf(text: string, from: number): Generator<Piece> {
  for (let at = lineEnd(text, from); at < text.length; at = lineEnd(text, at))
    yield { text: text.slice(at, lineEnd(text, at)), offset: at };
}

/** Behind the line's end, or as far as one piece may reach. */
function lineEnd(text: string, at: number): number {
  const end = text.indexOf('\n', at);
  return Math.min(end === -1 ? text.length : end + 1, at + MAX_PIECE);
}
