import type { JSONObject } from '@ai-sdk/provider';
import type { Endpoint } from './endpoint.js';

/** A row's reasoning level in the provider's own words; nothing when the row says nothing (M-1). */
export function reasoningOptions({ wire, model, reasoning }: Endpoint): Record<string, JSONObject> {
  if (reasoning === undefined) return {};
  if (wire === 'openai-compatible') return { openaiCompatible: { reasoningEffort: reasoning } };
  if (reasoning === 'none') return { anthropic: { thinking: { type: 'disabled' } } };
  if (THINKS_BY_BUDGET.test(model)) return { anthropic: { thinking: { type: 'enabled', budgetTokens: BUDGETS[reasoning] } } };
  return { anthropic: { thinking: { type: 'adaptive' }, effort: reasoning === 'minimal' ? 'low' : reasoning } };
}

/** Claude models from before the effort levels. */
const THINKS_BY_BUDGET = /claude-(?:3|(?:opus|sonnet|haiku)-4-(?:[015](?:-|$)|\d{8}))/;

/** Tokens. The provider asks for at least 1,024. */
const BUDGETS = { minimal: 1024, low: 4096, medium: 10_000, high: 20_000, xhigh: 31_000 } as const;
