import type { Check } from './check.js';
import { written } from './written.js';

/** The seed's sentence, word for word. */
const UNMARKED = 'The items above are unmarked. If an item is done, you must mark it with the mark tool; prose does not count.';

/** Has every item been accounted for? (K-4) */
export function checklistCheck(items: readonly string[]): Check {
  return {
    name: 'checklist',
    async run(round) {
      const began = round.scope.ports.clock.elapsed();
      const open = items.flatMap((text, index) => (round.marks.has(index + 1) ? [] : [`${index + 1}. ${oneLine(text)}`]));
      const text = open.length === 0 ? null : `${open.join('\n')}\n\n${UNMARKED}`;
      return written(round, 'checklist', { capture: 'checklist.txt', text, began });
    },
  };
}

function oneLine(text: string): string {
  return text.replace(/\s+/gu, ' ').trim();
}
