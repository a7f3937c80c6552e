import type { Check } from './check.js';
import { outputDrift } from './output-drift.js';
import { written } from './written.js';

const HOW = 'Answer this with the `continue` tool, and leave $OUTPUT as it is.';
const UNANSWERED = 'There is no answer yet.';

/** The question as it is put to the agent: the author's words, then how to answer. Nothing tells what follows from an answer (P-2). */
export function putQuestion(question: string): string {
  return `${question.trim()}\n\n${HOW}`;
}

/** Has the question been answered, and the output been left as it was? (G-3, K-11) An agent that only stopped is asked again. */
export function questionCheck(question: string): Check {
  return {
    name: 'question',
    async run(round) {
      const began = round.scope.ports.clock.elapsed();
      const text = round.answer === null ? `${UNANSWERED}\n\n${putQuestion(question)}` : null;
      const verdict = await written(round, 'question', { capture: 'question.txt', text, began });
      const drift = round.candidate === null ? null : await outputDrift(round.scope, round.candidate);
      return drift ? { verdict: 'end', ending: drift } : verdict;
    },
  };
}
