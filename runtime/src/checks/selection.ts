import type { Check } from './check.js';
import { written } from './written.js';

/** Has one of the names been selected? It is all that is asked of such an agent (G-4), and recorded as a question is. */
export function selectionCheck(names: readonly string[]): Check {
  return {
    name: 'question',
    async run(round) {
      const began = round.scope.ports.clock.elapsed();
      const text = round.selection === null ? `Nothing is selected yet. Select one with the \`select\` tool: ${names.join(', ')}.` : null;
      return written(round, 'question', { capture: 'question.txt', text, began });
    },
  };
}
