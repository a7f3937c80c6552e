import { parameters } from '../tools/parameters.js';
import { type ControlTool, defineControl, words } from './control.js';

/** `refuse`: the agent's own "I cannot do this" (L-9). */
export const refuse = wayOut('refuse', 'refused', 'Say that you cannot do what was asked, and why. Your work ends there.');

/** `fault`: something around the agent is broken (L-9). */
export const fault = wayOut(
  'fault',
  'fault',
  'Report that something you depend on is broken, so that nobody could do this. Your work ends there.',
);

function wayOut(name: 'refuse' | 'fault', cause: 'refused' | 'fault', description: string): ControlTool {
  return defineControl({
    name,
    description,
    parameters: parameters({ reason: words('Why, for a person who was not there.') }),
    act: ({ reason }) => ({ output: 'Noted.', recorded: { decision: name, reason }, leave: { cause, reason } }),
  });
}
