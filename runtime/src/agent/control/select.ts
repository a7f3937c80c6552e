import { nearest } from '@gated-flow/assembly';
import { cutText, escapeName } from '@gated-flow/text';
import { parameters, text } from '../tools/parameters.js';
import { type ControlTool, defineControl, mistake, words } from './control.js';

/** Of a name that is none, at most this much is repeated, in bytes. */
const NAME_BYTES = 200;

/** `select`: one of the names (L-10, G-4). */
export function select(names: readonly string[]): ControlTool {
  const described = text('The name of the alternative.');
  return defineControl({
    name: 'select',
    description: 'Select one of the alternatives. Your work ends there.',
    parameters: parameters({
      name: { ...described, schema: { ...described.schema, enum: names } },
      reason: words('Why this one, for a person who was not there.'),
    }),
    act({ name, reason }) {
      if (!names.includes(name)) return mistake(unknown(name, names));
      return { output: 'Noted.', recorded: { decision: 'select', answer: name, reason }, selection: { name, reason } };
    },
  });
}

function unknown(name: string, names: readonly string[]): string {
  const meant = nearest(name, names);
  const hint = meant === undefined ? '' : ` Did you mean "${meant}"?`;
  return `There is no alternative "${escapeName(cutText(name, NAME_BYTES))}". There are: ${names.join(', ')}.${hint} Nothing was selected.`;
}
