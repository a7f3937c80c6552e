import type { JSONObject, LanguageModelV3Usage } from '@ai-sdk/provider';
import type { Usage } from '../../ports/model.js';
import { isObject, own } from '../json.js';

/** Tokens as the provider reported them. The library makes zeros of what was not said; here that is null (M-3). */
export function usageOf({ inputTokens, outputTokens, raw }: LanguageModelV3Usage): Usage {
  return {
    input: inputTokens.total ?? null,
    output: outputTokens.total ?? null,
    cache_read: says(raw, READ) ? (inputTokens.cacheRead ?? null) : null,
    cache_write: says(raw, WRITTEN) ? (inputTokens.cacheWrite ?? null) : null,
  };
}

/** The providers' own names for what they read from memory, and what they put there. */
const READ = ['cache_read_input_tokens', 'cached_tokens', 'cachedContentTokenCount'];
const WRITTEN = ['cache_creation_input_tokens', 'cache_write_tokens'];

function says(raw: JSONObject | undefined, names: readonly string[]): boolean {
  if (raw === undefined) return false;
  const levels = [raw, own(raw, 'input_tokens_details'), own(raw, 'prompt_tokens_details')].filter(isObject);
  return levels.some((level) => names.some((name) => typeof own(level, name) === 'number'));
}
