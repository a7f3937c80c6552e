import { onDisk } from './disk-trouble.js';
import { nearestLines } from './nearest.js';
import { parameters, text } from './parameters.js';
import { placeOf, type Place } from './place.js';
import { putFile } from './put-file.js';
import { defineTool, failed, type ToolContext, type ToolOutput } from './tool.js';

const LARGEST = 64 << 20;
const NAMED_LINES = 10;

export const edit = defineTool({
  name: 'edit',
  description: 'Replaces one piece of text in a file by another. The old text must be in the file exactly once, white space included.',
  parameters: parameters({
    path: text('The file: relative to $PWD, absolute, or starting with a slot such as $OUTPUT.'),
    old: text('The text to replace, exactly as it stands in the file.'),
    new: text('The text to put there.'),
  }),
  reach: ({ path }) => ({ operation: 'edit', path }),
  run({ path, old, new: fresh }, context) {
    const place = placeOf(path, context.slots);
    if (!place.ok) return failed(place.message);
    if (old === '') return failed('`old` is empty: give the text to replace.');
    if (old === fresh) return failed('`old` and `new` are the same: nothing would change.');
    return onDisk(place.shown, () => replaceOnce(place, { old, fresh }, context));
  },
});

/** Works on the bytes: what is not valid UTF-8 elsewhere in the file stays as it is. */
async function replaceOnce(place: Place, { old, fresh }: { old: string; fresh: string }, context: ToolContext): Promise<ToolOutput> {
  const { disk, redactor } = context;
  const size = (await disk.look((await disk.real(place.path)) ?? place.path))?.size ?? 0;
  if (size > LARGEST) return failed(`${place.shown} is too large to edit: ${size} bytes.`);
  const bytes = Buffer.from(await disk.read(place.path));
  const wanted = Buffer.from(old);
  const found = occurrences(bytes, wanted);
  const [at] = found;
  if (at === undefined) {
    return failed(
      [`The old text is not in ${place.shown}; nothing was changed.`, ...nearestLines(redactor.text(bytes.toString('utf8')), old)].join(
        '\n',
      ),
    );
  }
  if (found.length > 1) {
    const lines = found.slice(0, NAMED_LINES).map((offset) => lineAt(bytes, offset));
    const places = `${lines.join(', ')}${found.length > lines.length ? ', …' : ''}`;
    return failed(
      `The old text is in ${place.shown} ${found.length} times (lines ${places}); nothing was changed. Give more of the text around it, so that it is there once.`,
    );
  }
  await putFile(place.path, Buffer.concat([bytes.subarray(0, at), Buffer.from(fresh), bytes.subarray(at + wanted.length)]), disk);
  return { output: `Edited ${place.shown} at line ${lineAt(bytes, at)}.` };
}

/** Overlapping ones count: each would be a place to edit. At most 1,000. */
function occurrences(bytes: Buffer, wanted: Buffer): number[] {
  const found: number[] = [];
  for (let at = bytes.indexOf(wanted); at !== -1 && found.length < 1000; at = bytes.indexOf(wanted, at + 1)) found.push(at);
  return found;
}

function lineAt(bytes: Buffer, offset: number): number {
  let line = 1;
  for (let at = bytes.indexOf(0x0a); at !== -1 && at < offset; at = bytes.indexOf(0x0a, at + 1)) line++;
  return line;
}
