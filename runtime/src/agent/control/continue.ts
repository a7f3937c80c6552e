import { choice, parameters } from '../tools/parameters.js';
import { type ControlTool, defineControl, mistake, words } from './control.js';

/** `continue`: the answer to a loop's question, and only to that (L-10). `isAsked` tells whether it has been put and is open. */
export function answer(isAsked: () => boolean): ControlTool {
  return defineControl({
    name: 'continue',
    description: 'Answer whether there is more to do, once you have been asked. Your work ends there.',
    parameters: parameters({
      answer: choice('`continue` when there is more to do, `stop` when there is not.', ['continue', 'stop']),
      reason: words('Why, for a person who was not there.'),
    }),
    act({ answer, reason }) {
      if (!isAsked()) return mistake('There is no question to answer now.');
      return { output: 'Noted.', recorded: { decision: 'continue', answer, reason }, answer: { answer, reason } };
    },
  });
}
