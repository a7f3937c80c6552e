import { onDisk } from './disk-trouble.js';
import { parameters, text } from './parameters.js';
import { placeOf } from './place.js';
import { putFile } from './put-file.js';
import { defineTool, failed } from './tool.js';

export const write = defineTool({
  name: 'write',
  description: 'Writes a file, replacing what was there. Missing folders on the way are made.',
  parameters: parameters({
    path: text('The file: relative to $PWD, absolute, or starting with a slot such as $OUTPUT.'),
    content: text('The whole content.'),
  }),
  reach: ({ path }) => ({ operation: 'write', path }),
  run({ path, content }, context) {
    const place = placeOf(path, context.slots);
    if (!place.ok) return failed(place.message);
    return onDisk(place.shown, async () => {
      const bytes = Buffer.from(content);
      await putFile(place.path, bytes, context.disk);
      return { output: `Wrote ${bytes.length} bytes to ${place.shown}.` };
    });
  },
});
