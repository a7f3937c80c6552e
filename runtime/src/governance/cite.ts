import { citedMessage, numberCite, readCite } from '@gated-flow/governance';
import type { NumberedCite } from '@gated-flow/governance';
import { parameters, text } from '../agent/tools/parameters.js';
import { defineTool, failed, type Tool } from '../agent/tools/tool.js';

/** More than anybody looks at. */
const MOST = 1_000;

/** `cite`: what an agent has where its work needs sources (V-8). Nothing is fetched; the entries are data. */
export function citeTool(cites: NumberedCite[]): Tool {
  return defineTool({
    name: 'cite',
    description:
      'Names a source for something you say: this work needs sources, so name at least one. The source gets a number; write it in brackets, as [1], in each sentence that rests on it.',
    parameters: parameters({
      claim: text('What the source is for, as one sentence.'),
      source: text('An address (https://…), or the name of a file.'),
      retrieved: text('When you looked at it: 2026-01-31, or a time with its zone.'),
    }),
    run(input, { clock }) {
      const read = readCite(input, clock.now());
      if (!read.ok) return failed(`${read.message} Nothing was noted.`);
      const { entry, isNew } = numberCite(cites, read.cite);
      if (isNew && cites.length === MOST) return failed(`There are ${MOST} sources already. Nothing was noted.`);
      if (isNew) cites.push(entry);
      return { output: citedMessage(entry) };
    },
  });
}
