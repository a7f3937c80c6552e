/** Splits bytes into lines, in flat memory whatever the file is. */

export type Line =
  | { readonly is: 'text'; readonly number: number; readonly text: string; /** Ended with a newline. */ readonly whole: boolean }
  | { readonly is: 'unreadable'; readonly number: number; readonly message: string };

/** Longer lines are skipped and said to be: a string of JavaScript cannot hold much more. In bytes. */
const LONGEST_LINE = 256 * 1024 * 1024;

const LINE_FEED = 0x0a;
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Lines numbered from 1, without their newlines; a blank line is no line, but is counted. */
export async function* linesOf(chunks: AsyncIterable<Uint8Array>, longest: number = LONGEST_LINE): AsyncGenerator<readonly Line[]> {
  let number = 0;
  let parts: Uint8Array[] = [];
  let held = 0;
  let dropped = false;
  const keep = (bytes: Uint8Array): void => {
    held += bytes.length;
    if (held > longest) {
      dropped = true;
      parts = [];
    } else if (bytes.length > 0) parts.push(Uint8Array.prototype.slice.call(bytes));
  };
  const finish = (bytes: Uint8Array, whole: boolean): Line | undefined => {
    number += 1;
    held += bytes.length;
    const tooLong = dropped || held > longest;
    const all = parts.length === 0 ? bytes : Buffer.concat([...parts, bytes]);
    parts = [];
    held = 0;
    dropped = false;
    if (tooLong) return { is: 'unreadable', number, message: `It is longer than ${longest} bytes.` };
    return lineOf(all, number, whole);
  };

  for await (const chunk of chunks) {
    const lines: Line[] = [];
    let start = 0;
    for (let end = chunk.indexOf(LINE_FEED); end !== -1; end = chunk.indexOf(LINE_FEED, start)) {
      const line = finish(chunk.subarray(start, end), true);
      if (line) lines.push(line);
      start = end + 1;
    }
    keep(chunk.subarray(start));
    if (lines.length > 0) yield lines;
  }
  if (held > 0) {
    const line = finish(new Uint8Array(), false);
    if (line) yield [line];
  }
}

function lineOf(bytes: Uint8Array, number: number, whole: boolean): Line | undefined {
  try {
    const text = decoder.decode(bytes);
    return text.trim() === '' ? undefined : { is: 'text', number, text, whole };
  } catch {
    return { is: 'unreadable', number, message: 'It is not valid UTF-8.' };
  }
}
