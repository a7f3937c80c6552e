/** What GitHub's runner reads as a command in a log: `::` behind white space at the beginning of a line, and `##[` anywhere (I-7). */
const WHITE = '[ \\t\\v\\f\\u0085\\u00a0\\u1680\\u2000-\\u200a\\u202f\\u205f\\u3000\\ufeff]*';
const COMMAND = new RegExp(`(^|[\\r\\n\\u2028\\u2029])(${WHITE}):(?=:|$)`, 'g');
const OLD_COMMAND = /##\[/g;

/** Takes the power from workflow commands in a stream of text: their first character is shown as `\u003a`, of the older form `[` as `\u005b`. */
export type Guard = (piece: string) => string;

/**
 * For text that is printed piece by piece. In JSON the value stays the same. A piece counts as the beginning of a line, wherever it
 * begins: too much is escaped rather than too little.
 */
export function createGuard(): Guard {
  let tail = '';
  return (piece) => {
    if (piece === '') return piece;
    const begun = joined(tail, piece);
    tail = (tail + piece).slice(-2);
    return begun.replace(COMMAND, '$1$2\\u003a').replace(OLD_COMMAND, '##\\u005b');
  };
}

/** `##[` that stands in two pieces. */
function joined(tail: string, piece: string): string {
  if (tail === '##' && piece.startsWith('[')) return `\\u005b${piece.slice(1)}`;
  return tail.endsWith('#') && piece.startsWith('#[') ? `#\\u005b${piece.slice(2)}` : piece;
}

const LINE = new RegExp(`[\\r\\n\\u2028\\u2029]${WHITE}::`);
const MAY_BEGIN = new RegExp(`(?:^|[\\r\\n])${WHITE}:?$`);
const SEEN = 64;

/** Whether bytes, in pieces of any size, hold what the runner would obey. Says yes rather than no where a piece ends in the middle. */
export async function holdsCommand(pieces: AsyncIterable<Uint8Array>): Promise<boolean> {
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  let tail = '\n';
  for await (const piece of pieces) {
    const text = tail + decoder.decode(piece, { stream: true });
    if (text.includes('##[') || LINE.test(text)) return true;
    const end = text.slice(-SEEN);
    tail = MAY_BEGIN.test(end) ? `\n${end.slice(end.search(/[^\r\n]*$/))}` : end.slice(-2);
  }
  return false;
}
