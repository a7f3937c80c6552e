/** How many characters a pattern can match at most, so that a stream knows how much to hold back. */

export interface Reach {
  /** UTF-16 units of the longest match; Infinity when there is no bound. */
  readonly longest: number;
  /** Whether a match depends on what follows it (`$`, `\b`, look-ahead). */
  readonly looksAhead: boolean;
  /** Whether a match depends on the beginning of the text or on what comes before. */
  readonly looksBehind: boolean;
}

const UNBOUNDED: Reach = { longest: Number.POSITIVE_INFINITY, looksAhead: true, looksBehind: true };

/** The reach of a pattern's source. What this little reader does not know is unbounded: that holds back more, never less. */
export function reachOf(source: string): Reach {
  const reader = { source, at: 0, looksAhead: false, looksBehind: false };
  const longest = alternatives(reader, 0);
  if (longest === null || reader.at < source.length) return UNBOUNDED;
  return { longest, looksAhead: reader.looksAhead, looksBehind: reader.looksBehind };
}

interface Reader {
  readonly source: string;
  at: number;
  looksAhead: boolean;
  looksBehind: boolean;
}

const MAX_DEPTH = 50;

function alternatives(reader: Reader, depth: number): number | null {
  if (depth > MAX_DEPTH) return null;
  let longest = 0;
  for (;;) {
    const length = sequence(reader, depth);
    if (length === null) return null;
    longest = Math.max(longest, length);
    if (reader.source[reader.at] !== '|') return longest;
    reader.at += 1;
  }
}

function sequence(reader: Reader, depth: number): number | null {
  let length = 0;
  while (reader.at < reader.source.length && !'|)'.includes(reader.source[reader.at] ?? '')) {
    const one = piece(reader, depth);
    if (one === null) return null;
    const most = repeats(reader);
    length += most === 0 || one === 0 ? 0 : one * most;
  }
  return length;
}

/** Any one character may be two units. */
const CHARACTER = 2;

function piece(reader: Reader, depth: number): number | null {
  const character = reader.source[reader.at] ?? '';
  if (character === '(') return group(reader, depth);
  if (character === '[') return characterClass(reader);
  if (character === '\\') return escape(reader);
  reader.at += 1;
  if (character === '^') reader.looksBehind = true;
  if (character === '$') reader.looksAhead = true;
  return character === '^' || character === '$' ? 0 : CHARACTER;
}

function group(reader: Reader, depth: number): number | null {
  const opening = /^\((?:\?:|\?P?<[A-Za-z_]\w*>|\?[ims]+:|\?[ims]+\))?/.exec(reader.source.slice(reader.at, reader.at + 80))?.[0] ?? '';
  reader.at += opening.length;
  if (opening.endsWith(')')) return 0;
  // Look-around, and whatever else begins like this.
  if (reader.source[reader.at] === '?') return null;
  const length = alternatives(reader, depth + 1);
  if (length === null || reader.source[reader.at] !== ')') return null;
  reader.at += 1;
  return length;
}

function characterClass(reader: Reader): number | null {
  const found = /^\[\^?\]?(?:\[:\^?\w+:\]|\\.|[^\]\\])*\]/s.exec(reader.source.slice(reader.at));
  if (!found) return null;
  reader.at += found[0].length;
  return CHARACTER;
}

function escape(reader: Reader): number | null {
  const found = /^\\(?:u\{[\da-f]+\}|x\{[\da-f]+\}|u[\da-f]{4}|x[\da-f]{2}|c[a-z]|p\{[^}]*\}|.)/is.exec(
    reader.source.slice(reader.at, reader.at + 100),
  );
  if (!found) return null;
  const letter = found[0][1] ?? '';
  // A back reference is as long as its group; \Q…\E quotes.
  if (/[1-9kQE]/.test(letter)) return null;
  reader.at += found[0].length;
  if ('bB'.includes(letter)) {
    reader.looksAhead = true;
    reader.looksBehind = true;
    return 0;
  }
  if (letter === 'A') reader.looksBehind = true;
  if (letter === 'z' || letter === 'Z') reader.looksAhead = true;
  return 'AzZ'.includes(letter) ? 0 : CHARACTER;
}

function repeats(reader: Reader): number {
  const found = /^(?:[*+?]|\{(\d+)(,(\d*))?\})[?+]?/.exec(reader.source.slice(reader.at, reader.at + 40));
  if (!found) return 1;
  reader.at += found[0].length;
  const [whole, low, range, high] = found;
  if (whole.startsWith('?')) return 1;
  if (low === undefined || high === '') return Number.POSITIVE_INFINITY;
  return Number(range === undefined ? low : high);
}
