import { cutText, isUtf8 } from '@gated-flow/text';
import { binaryType } from './binary.js';
import { onDisk } from './disk-trouble.js';
import { linesFrom, type Line } from './lines.js';
import { optional, parameters, text, whole } from './parameters.js';
import { placeOf, type Place } from './place.js';
import { defineTool, failed, type ToolContext, type ToolOutput } from './tool.js';

const LINES = 2000;
const BYTES = 50_000;
const LINE_BYTES = 2000;
/** Held of a line beyond what is shown, so that a secret across the cut is seen whole before it is cut. */
const LINE_KEPT = 4 * LINE_BYTES;
const HEAD = 8192;

export const read = defineTool({
  name: 'read',
  description: `Reads a text file. Gives at most ${LINES} lines or ${BYTES} bytes at a time and says what was left out; lines over ${LINE_BYTES} bytes are cut.`,
  parameters: parameters({
    path: text('The file: relative to $PWD, absolute, or starting with a slot such as $INPUT/notes.md.'),
    offset: optional(whole('The first line to read, from 1.', 1)),
    limit: optional(whole(`How many lines to read, ${LINES} at most.`, 1)),
  }),
  readOnly: true,
  reach: ({ path }) => ({ operation: 'read', path }),
  run({ path, offset = 1, limit = LINES }, context) {
    const place = placeOf(path, context.slots);
    if (!place.ok) return failed(place.message);
    return onDisk(place.shown, () => readLines(place, { offset, limit: Math.min(limit, LINES) }, context));
  },
});

interface Range {
  readonly offset: number;
  readonly limit: number;
}

async function readLines({ path, shown }: Place, { offset, limit }: Range, { disk, redactor }: ToolContext): Promise<ToolOutput> {
  const head = await disk.readHead(path, HEAD);
  const size = (await disk.look((await disk.real(path)) ?? path))?.size ?? head.length;
  const type = binaryType(head);
  if (type !== null) return failed(`${shown} is not text: ${type}, ${size} bytes.`);
  if (head.length === 0) return { output: `(${shown} is empty)` };

  const lines = linesFrom(disk.stream(path), offset, LINE_KEPT);
  const shownLines: string[] = [];
  let bytes = 0;
  let end = 0;
  let odd = false;
  for (;;) {
    const next = await lines.next();
    if (next.done) {
      if (shownLines.length === 0) return failed(`${shown} has ${counted(next.value)}; there is no line ${offset}.`);
      return { output: joined(shownLines, odd ? [ODD] : []) };
    }
    const line = next.value;
    if (line.bytes.includes(0))
      return failed(`${shown} is not text: it has zero bytes in line ${offset + shownLines.length}; ${size} bytes in all.`);
    const rendered = render(line, (text) => redactor.text(text));
    const full = shownLines.length === limit || (shownLines.length > 0 && bytes + Buffer.byteLength(rendered) + 1 > BYTES);
    if (full) break;
    odd ||= !isUtf8(line.bytes) && line.bytes.length === line.length;
    shownLines.push(rendered);
    bytes += Buffer.byteLength(rendered) + 1;
    end = line.end;
  }
  await lines.return(0);
  const last = offset + shownLines.length - 1;
  const rest = `[Shown: lines ${offset} to ${last}. Left out: the ${Math.max(size - end, 0)} bytes after them. Go on with offset ${last + 1}.]`;
  return { output: joined(shownLines, odd ? [ODD, rest] : [rest]) };
}

const ODD = '[Some bytes are not valid UTF-8 and are shown as \ufffd.]';

function joined(lines: readonly string[], notices: readonly string[]): string {
  return [...lines, ...notices].join('\n');
}

function render({ bytes, length }: Line, redact: (text: string) => string): string {
  const whole = redact(bytes.toString('utf8'));
  const kept = cutText(whole, LINE_BYTES);
  return kept === whole && bytes.length === length ? whole : `${kept} [line cut: ${length} bytes in all]`;
}

function counted(lines: number): string {
  return lines === 1 ? '1 line' : `${lines} lines`;
}
