import { amount, comparisonOf } from './comparison.js';
import type { Groups } from './comparison.js';
import { factPredicate } from './measure.js';
import { LEAD, NOT, sentence } from './pieces.js';
import type { Predicate } from './predicate.js';
import { negated } from './predicate.js';
import type { Phrase } from './table.js';

const TIME = '(?<unit>ms|milliseconds?|s|secs?|seconds?|min|minutes?)';
const MONEY = amount(String.raw`\$?\s?`, '(?: ?(?:usd|dollars?))?');
const PER = '(?: (?:per|a|in any) (?<per>run|step|turn))?';

export const aboutRun: readonly Phrase[] = [
  {
    form: '[does not] [complete[s]|finish[es]|respond[s]|take[s]] within N ms|seconds|minutes',
    meaning: 'The agent\'s own clock over all its rounds. "take longer than N seconds" is for must_not.',
    unit: 'milliseconds, seconds, minutes',
    patterns: [
      sentence(
        LEAD,
        NOT,
        '(?:(?:completes?|finish(?:es)?|responds?|answers?|ends?|runs?|returns?|takes?|lasts?)(?: a response)? (?:in )?)?',
        amount(),
        ` ?${TIME}`,
      ),
      sentence('(?:the )?(?:latency|duration|response time) (?:is |stays )?', amount(), ` ?${TIME}`),
    ],
    make: ({ groups }) => {
      const predicate = factPredicate({
        fact: 'durationMs',
        comparison: comparisonOf(groups, milliseconds(groups['unit'])),
        words: (value) => `the run took ${value} ms`,
        missing: 'nobody knows how long the run took',
      });
      return unlessNot(groups, predicate);
    },
    examples: [
      { text: 'complete within 30 seconds', isTrue: { durationMs: 30_000 }, isFalse: { durationMs: 30_001 } },
      { text: 'respond within 500 ms', isTrue: { durationMs: 1 }, isFalse: { durationMs: 501 } },
      { text: 'within 2 minutes', isTrue: { durationMs: 120_000 }, isFalse: { durationMs: 120_001 } },
      { text: 'take longer than 1.5 minutes', isTrue: { durationMs: 90_001 }, isFalse: { durationMs: 90_000 } },
    ],
  },
  {
    form: 'cost[s] AMOUNT USD [per run|per step]',
    meaning: 'What the model cost, of the run or of its costliest step. A cost nobody can price is unevaluated, never zero.',
    unit: 'US dollars: "0.10 USD", "$0.10"',
    patterns: [sentence(LEAD, NOT, '(?:(?:the )?(?:total )?)?costs? (?:is |stays |be )?', MONEY, PER)],
    make: ({ groups }) => {
      const perStep = /step|turn/i.test(groups['per'] ?? '');
      const predicate = factPredicate({
        fact: perStep ? 'stepCostUsd' : 'costUsd',
        comparison: comparisonOf(groups),
        words: (value) => `${perStep ? 'a step' : 'the run'} cost ${value} USD`,
        missing: perStep ? 'nobody knows what a step cost' : 'nobody knows what the run cost',
      });
      return unlessNot(groups, predicate);
    },
    examples: [
      { text: 'cost does not exceed 0.10 USD per step', isTrue: { stepCostUsd: 0.1 }, isFalse: { stepCostUsd: 0.11 } },
      { text: 'cost at most $2', isTrue: { costUsd: 2 }, isFalse: { costUsd: 2.01 } },
      { text: 'cost more than 0.05 USD per run', isTrue: { costUsd: 0.06 }, isFalse: { costUsd: 0.05 } },
    ],
  },
  {
    form: 'use[s] AMOUNT input|output tokens',
    meaning: 'Output tokens of the whole run; input tokens of its largest request.',
    unit: 'tokens as the provider reports them',
    patterns: [sentence(LEAD, NOT, '(?:uses?|takes?|reads?|writes?|costs?) ', amount(), ' (?<side>input|output) tokens?')],
    make: ({ groups }) => {
      const side = (groups['side'] ?? '').toLowerCase();
      const predicate = factPredicate({
        fact: side === 'input' ? 'inputTokens' : 'outputTokens',
        comparison: comparisonOf(groups),
        words: (value) => `the run used ${value} ${side} tokens`,
        missing: `nobody knows how many ${side} tokens the run used`,
      });
      return unlessNot(groups, predicate);
    },
    examples: [
      { text: 'use at most 500 output tokens', isTrue: { outputTokens: 500 }, isFalse: { outputTokens: 501 } },
      { text: 'uses less than 8000 input tokens', isTrue: { inputTokens: 7999 }, isFalse: { inputTokens: 8000 } },
    ],
  },
  {
    form: '[take[s]|make[s]|use[s]] AMOUNT steps|turns',
    meaning: 'A step is one turn of the model.',
    patterns: [sentence(LEAD, NOT, '(?:(?:takes?|makes?|uses?|needs?|runs?) )?', amount(), ' (?:steps?|turns?|model turns?)')],
    make: ({ groups }) => {
      const predicate = factPredicate({
        fact: 'steps',
        comparison: comparisonOf(groups),
        words: (value) => `the run took ${value} steps`,
        missing: 'nobody knows how many steps the run took',
      });
      return unlessNot(groups, predicate);
    },
    examples: [
      { text: 'takes at most 5 steps', isTrue: { steps: 5 }, isFalse: { steps: 6 } },
      { text: 'at most 5 steps', isTrue: { steps: 5 }, isFalse: { steps: 6 } },
    ],
  },
];

function unlessNot(groups: Groups, predicate: Predicate): Predicate {
  return groups['not'] === undefined ? predicate : negated(predicate);
}

function milliseconds(unit: string | undefined): number {
  const written = (unit ?? '').toLowerCase();
  if (written.startsWith('mi') && !written.startsWith('mil')) return 60_000;
  return written.startsWith('m') ? 1 : 1000;
}
