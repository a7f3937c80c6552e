const SPACES = '\\t\\n\\v\\f\\r \\x{a0}\\x{1680}\\x{2000}-\\x{200a}\\x{2028}\\x{2029}\\x{202f}\\x{205f}\\x{3000}\\x{feff}';
const ANY_BUT_LINE_ENDS = '[^\\n\\r\\x{2028}\\x{2029}]';

const ESCAPE = String.raw`\\u[dD][89abAB][\da-fA-F]{2}\\u[dD][c-fC-F][\da-fA-F]{2}|\\u\{[\da-fA-F]+\}|\\u[\da-fA-F]{4}|\\x[\da-fA-F]{2}|\\c[a-zA-Z]|\\[pP]\{[^}]*\}|\\.`;
/** One piece of an expression: an escape with its argument, the start of a class or of a special group, or one code point. */
const OUTSIDE = new RegExp(String.raw`${ESCAPE}|\(\?<?[=!]|\(\?<|\(\?[a-z-]*s[a-z-]*:|\[\^?\]?|.`, 'suy');
const INSIDE = new RegExp(`${ESCAPE}|.`, 'suy');

/**
 * The same expression in RE2's syntax, or undefined when RE2 has no equal. The source must be a valid JavaScript expression
 * with the flag `u`. Needed because the two read some pieces differently without complaint: `.`, `\s`, `[]`, `\u0041`.
 */
export function toRe2(source: string, flags: string): string | undefined {
  const dot = flags.includes('s') ? '.' : ANY_BUT_LINE_ENDS;
  let translated = '';
  let inClass = false;
  for (let at = 0; at < source.length;) {
    const piece = pieceAt(source, at, inClass ? INSIDE : OUTSIDE);
    const next = inClass ? inside(piece) : outside(piece, dot);
    if (next === undefined) return undefined;
    translated += next;
    inClass = inClass ? piece !== ']' : piece.startsWith('[');
    at += piece.length;
  }
  return translated;
}

function pieceAt(source: string, at: number, pieces: RegExp): string {
  pieces.lastIndex = at;
  return pieces.exec(source)?.[0] ?? source.slice(at);
}

function outside(piece: string, dot: string): string | undefined {
  if (piece === '.') return dot;
  if (piece === '\\s') return `[${SPACES}]`;
  if (piece === '\\S') return `[^${SPACES}]`;
  if (piece === '(?<') return '(?P<';
  if (piece === '[' || piece === '[^') return piece;
  if (piece.startsWith('[') || piece.startsWith('(?')) return undefined;
  return either(piece);
}

function inside(piece: string): string | undefined {
  if (piece === '[') return '\\[';
  if (piece === '\\s') return SPACES;
  if (piece === '\\S') return undefined;
  if (piece === '\\b') return '\\x08';
  return either(piece);
}

function either(piece: string): string | undefined {
  if (!piece.startsWith('\\') || /^\\x/.test(piece)) return piece;
  if (/^\\u/.test(piece)) return codePoint(piece);
  if (/^\\c/.test(piece)) return `\\x{${(piece.charCodeAt(2) % 32).toString(16)}}`;
  if (/^\\[pP]/.test(piece)) return piece.replace(/\{(?:Script|sc|General_Category|gc)=/, '{');
  if (piece === '\\0') return '\\x00';
  return /^\\[1-9k]/.test(piece) ? undefined : piece;
}

/** Surrogate halves on their own have no place in RE2's texts. */
function codePoint(escape: string): string | undefined {
  const units = [...escape.matchAll(/[0-9a-fA-F]{4,6}|(?<=\{)[0-9a-fA-F]+/g)].map(([hex]) => Number.parseInt(hex, 16));
  const value = units.length === 2 ? String.fromCharCode(...units).codePointAt(0) : units[0];
  return value === undefined || (value >= 0xd800 && value <= 0xdfff) ? undefined : `\\x{${value.toString(16)}}`;
}
