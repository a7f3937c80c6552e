import type { Limit, LimitKey } from '../contract.js';
import type { RunFacts } from '../facts.js';
import { estimatedTokens } from '../grammar/measure.js';
import type { Check, Verdict } from './check.js';
import { PASSED, unevaluated, violated } from './check.js';

interface Measure {
  readonly value: number;
  readonly words: string;
}

/** A limit, judged at every step and at the end (C-7). */
export function limitCheck(clause: Limit): Check {
  const judge = (facts: RunFacts): Verdict => {
    const measure = MEASURES[clause.key](facts);
    if (measure === null) return unevaluated(MISSING[clause.key]);
    return measure.value <= clause.most ? PASSED : violated(`${measure.words}, and the limit is ${clause.most}`);
  };
  return { clause, when: 'live', judge, live: judge, stepText: null, forbidden: null, ofOutput: false, inLogs: true };
}

const MEASURES: Readonly<Record<LimitKey, (facts: RunFacts) => Measure | null>> = {
  max_tokens: ({ outputTokens, output }) => reportedOrEstimated(outputTokens, output?.text, 'output'),
  max_input_tokens: ({ inputTokens, input }) => reportedOrEstimated(inputTokens, input?.text, 'input'),
  max_latency_ms: ({ durationMs }) => measure(durationMs, (value) => `the run took ${value} ms`),
  max_cost_usd: ({ costUsd }) => measure(costUsd, (value) => `the run cost ${value} USD`),
  max_tool_calls: ({ toolCalls }) => measure(toolCalls?.length ?? null, (value) => `the run made ${value} tool calls`),
  max_steps: ({ steps }) => measure(steps, (value) => `the run took ${value} steps`),
};

const MISSING: Readonly<Record<LimitKey, string>> = {
  max_tokens: 'nobody knows how many output tokens the run used',
  max_input_tokens: 'nobody knows how many input tokens the run used',
  max_latency_ms: 'nobody knows how long the run took',
  max_cost_usd: 'nobody knows what the run cost',
  max_tool_calls: 'nobody knows which tools the run called',
  max_steps: 'nobody knows how many steps the run took',
};

function measure(value: number | null, words: (value: number) => string): Measure | null {
  return value === null ? null : { value, words: words(value) };
}

function reportedOrEstimated(reported: number | null, text: string | undefined, side: string): Measure | null {
  if (reported !== null) return { value: reported, words: `the run used ${reported} ${side} tokens` };
  if (text === undefined) return null;
  const estimate = estimatedTokens(text);
  return { value: estimate, words: `the run used about ${estimate} ${side} tokens (estimated from the length of the text)` };
}
