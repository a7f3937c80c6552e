import type { JSONObject } from '@ai-sdk/provider';
import type { Reasoning } from '../../plan/plan.js';
import type { Endpoint } from './endpoint.js';

/** A row's reasoning level in the provider's own words; nothing when the row says nothing (M-1). A level that the model has not becomes the next higher one it has, else its highest. */
export function reasoningOptions({ wire, model, reasoning }: Endpoint): JSONObject {
  if (reasoning === undefined) return {};
  switch (wire) {
    case 'anthropic':
      return anthropic(model, reasoning);
    case 'openai':
      return openai(model, reasoning);
    case 'google':
      return google(model, reasoning);
    case 'openai-compatible':
      return { reasoningEffort: reasoning };
  }
}

function anthropic(model: string, reasoning: Reasoning): JSONObject {
  if (reasoning === 'none') return { thinking: { type: 'disabled' } };
  if (CLAUDE_BY_BUDGET.test(model)) return { thinking: { type: 'enabled', budgetTokens: CLAUDE_BUDGETS[reasoning] } };
  return { thinking: { type: 'adaptive' }, effort: reasoning === 'minimal' ? 'low' : reasoning };
}

/** Claude models from before the effort levels. */
const CLAUDE_BY_BUDGET = /claude-(?:3|(?:opus|sonnet|haiku)-4-(?:[015](?:-|$)|\d{8}))/;

/** Tokens. The provider asks for at least 1,024. */
const CLAUDE_BUDGETS = { minimal: 1024, low: 4096, medium: 10_000, high: 20_000, xhigh: 31_000 } as const;

/** The library leaves the level out for a model it does not know to reason; the row knows better. */
function openai(model: string, reasoning: Reasoning): JSONObject {
  const offered = GPT_LEVELS.find(({ models }) => models.test(model))?.levels;
  if (offered === undefined) return reasoning === 'none' ? {} : { reasoningEffort: reasoning, forceReasoning: true };
  return { reasoningEffort: nearest(reasoning, offered), forceReasoning: true };
}

interface Offer {
  readonly models: RegExp;
  readonly levels: readonly Reasoning[];
}

/** What OpenAI's models accept, as listed on 2026-11-30; the first that fits counts. */
const GPT_LEVELS: readonly Offer[] = [
  { models: /^o\d/, levels: ['low', 'medium', 'high'] },
  { models: /^gpt-5(?:-(?!chat)|$)/, levels: ['minimal', 'low', 'medium', 'high'] },
  { models: /^gpt-5\.1-codex-max/, levels: ['none', 'low', 'medium', 'high', 'xhigh'] },
  { models: /^gpt-5\.1(?:-(?!chat)|$)/, levels: ['none', 'low', 'medium', 'high'] },
  { models: /^gpt-5\.\d+(?:-(?!chat)|$)/, levels: ['none', 'low', 'medium', 'high', 'xhigh'] },
  { models: /^gpt-6(?:-(?:sol|luna)|\.1-terra)$/, levels: ['none', 'low', 'medium', 'high', 'xhigh'] },
  { models: /^gpt-[6-9]/, levels: ['low', 'medium', 'high', 'xhigh'] },
];

function google(model: string, reasoning: Reasoning): JSONObject {
  if (/gemini-2\.5/.test(model)) {
    const least = /pro/.test(model) ? 128 : 0;
    return { thinkingConfig: { thinkingBudget: reasoning === 'none' ? least : GEMINI_BUDGETS[reasoning] } };
  }
  if (reasoning === 'none' && !GEMINI_THINKS.test(model)) return {};
  const offered = GEMINI_LEVELS.find(({ models }) => models.test(model))?.levels ?? [];
  return { thinkingConfig: { thinkingLevel: nearest(reasoning, offered) } };
}

/** Gemini models from 3 on, which cannot be kept from thinking. */
const GEMINI_THINKS = /gemini-(?:[3-9]|pro-latest|flash-latest|flash-lite-latest)/;

/** What Gemini models from 3 on accept, as listed on 2026-11-30; the first that fits counts. */
const GEMINI_LEVELS: readonly Offer[] = [
  { models: /gemini-3-pro/, levels: ['low', 'high'] },
  { models: /pro/, levels: ['low', 'medium', 'high'] },
  { models: /(?:)/, levels: ['minimal', 'low', 'medium', 'high'] },
];

/** Tokens, within what every Gemini 2.5 model accepts. */
const GEMINI_BUDGETS = { minimal: 512, low: 2048, medium: 8192, high: 16_384, xhigh: 24_576 } as const;

const LEVELS: readonly Reasoning[] = ['none', 'minimal', 'low', 'medium', 'high', 'xhigh'];

function nearest(wanted: Reasoning, offered: readonly Reasoning[]): Reasoning {
  const enough = offered.find((level) => LEVELS.indexOf(level) >= LEVELS.indexOf(wanted));
  return enough ?? offered.at(-1) ?? wanted;
}
