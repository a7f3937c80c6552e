import { classMembers, escapeMember } from './characters.js';

/** A piece of a regular expression, as far as texts are made from it. */
type Piece =
  | { readonly piece: 'text'; readonly text: string }
  | { readonly piece: 'choice'; readonly ways: readonly Piece[] }
  | { readonly piece: 'row'; readonly pieces: readonly Piece[] }
  | { readonly piece: 'repeat'; readonly of: Piece; readonly least: number; readonly most: number };

/** Makes texts from one expression. */
export type PatternWriter = (wish: Wish) => string;

export interface Wish {
  /** How many repetitions beyond the least an open quantifier takes. */
  readonly extra: number;
  /** Only this quantifier takes them, counted as they are written; without it, all do. */
  readonly only?: number;
  /** Each number takes other choices. */
  readonly nth: number;
}

/**
 * Reads the everyday part of the syntax. Assertions are passed over and references to groups are empty, so a text
 * is only a candidate: whoever uses it tests it against the expression. Null when it cannot be read.
 */
export function patternWriter(source: string): PatternWriter | null {
  const reader: Reader = { source, at: 0 };
  const piece = readChoice(reader);
  if (reader.at < source.length) return null;
  return ({ extra, only, nth }) => write(piece, { extra, only, left: nth, repeats: 0 });
}

interface Reader {
  readonly source: string;
  at: number;
}

function readChoice(reader: Reader): Piece {
  const ways = [readRow(reader)];
  while (reader.source[reader.at] === '|') {
    reader.at += 1;
    ways.push(readRow(reader));
  }
  return { piece: 'choice', ways };
}

function readRow(reader: Reader): Piece {
  const pieces: Piece[] = [];
  while (reader.at < reader.source.length && !'|)'.includes(reader.source.charAt(reader.at))) {
    pieces.push(readRepeat(reader, readOne(reader)));
  }
  return { piece: 'row', pieces };
}

function readOne(reader: Reader): Piece {
  const character = reader.source.charAt(reader.at);
  if (character === '(') return readGroup(reader);
  if (character === '[') return readClass(reader);
  if (character === '\\') return readEscape(reader);
  const point = String.fromCodePoint(reader.source.codePointAt(reader.at) ?? 0);
  reader.at += point.length;
  if (character === '^' || character === '$') return textPiece('');
  return textPiece(character === '.' ? 'r' : point);
}

function readGroup(reader: Reader): Piece {
  const opening = /^\((?:\?(?:[:=!]|<[=!]|<[^>]*>))?/.exec(reader.source.slice(reader.at))?.[0] ?? '(';
  reader.at += opening.length;
  const inner = readChoice(reader);
  if (reader.source[reader.at] === ')') reader.at += 1;
  return /[=!]$/.test(opening) ? textPiece('') : inner;
}

function readClass(reader: Reader): Piece {
  const written = /^\[\^?\]?(?:\\[\s\S]|[^\]\\])*\]/.exec(reader.source.slice(reader.at))?.[0] ?? reader.source.slice(reader.at);
  reader.at += written.length;
  return { piece: 'choice', ways: classMembers(written).map(textPiece) };
}

function readEscape(reader: Reader): Piece {
  const rest = reader.source.slice(reader.at);
  const written =
    /^\\(?:u\{[0-9a-fA-F]+\}|u[0-9a-fA-F]{4}|x[0-9a-fA-F]{2}|[pP]\{[^}]*\}|k<[^>]*>|c[A-Za-z]|[\s\S])/u.exec(rest)?.[0] ?? rest;
  reader.at += written.length;
  return textPiece(escapeMember(written));
}

function readRepeat(reader: Reader, of: Piece): Piece {
  const found = /^(?:[*+?]|\{(\d+)(,(\d*))?\})\??/.exec(reader.source.slice(reader.at));
  if (found === null) return of;
  reader.at += found[0].length;
  const [written, least, comma, most] = found;
  if (written.startsWith('*')) return { piece: 'repeat', of, least: 0, most: Infinity };
  if (written.startsWith('+')) return { piece: 'repeat', of, least: 1, most: Infinity };
  if (written.startsWith('?')) return { piece: 'repeat', of, least: 0, most: 1 };
  const from = Number(least);
  return {
    piece: 'repeat',
    of,
    least: from,
    most: comma === undefined ? from : most === '' || most === undefined ? Infinity : Number(most),
  };
}

function textPiece(text: string): Piece {
  return { piece: 'text', text };
}

const MOST_REPEATS = 4000;

/** `left` counts through all choices together, like the digits of a number. */
interface Writing {
  readonly extra: number;
  readonly only: number | undefined;
  left: number;
  repeats: number;
}

function write(piece: Piece, how: Writing): string {
  switch (piece.piece) {
    case 'text':
      return piece.text;
    case 'row':
      return piece.pieces.map((each) => write(each, how)).join('');
    case 'choice': {
      const way = piece.ways[how.left % piece.ways.length];
      how.left = Math.floor(how.left / piece.ways.length);
      return way === undefined ? '' : write(way, how);
    }
    case 'repeat': {
      const extra = how.only === undefined || how.only === how.repeats ? how.extra : 0;
      how.repeats += 1;
      return write(piece.of, how).repeat(Math.min(piece.most, piece.least + extra, MOST_REPEATS));
    }
  }
}
