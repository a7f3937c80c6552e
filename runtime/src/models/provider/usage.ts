import type { JSONObject, LanguageModelV3Usage } from '@ai-sdk/provider';
import type { Usage } from '../../ports/model.js';
import { isObject, own } from '../json.js';

/** Tokens as the provider reported them: what it did not say, or said as no count, is null, where the library makes zeros of it (M-3). */
export function usageOf({ inputTokens, outputTokens, raw }: LanguageModelV3Usage): Usage {
  return {
    input: says(raw, INPUT) ? count(inputTokens.total) : null,
    output: says(raw, OUTPUT) ? count(outputTokens.total) : null,
    cache_read: says(raw, READ) ? count(inputTokens.cacheRead) : null,
    cache_write: says(raw, WRITTEN) ? count(inputTokens.cacheWrite) : null,
  };
}

/** The providers' own names for the tokens of the prompt, and of the answer. Gemini leaves out what is zero, so that its count of the prompt speaks for both. */
const INPUT = ['input_tokens', 'prompt_tokens', 'promptTokenCount'];
const OUTPUT = ['output_tokens', 'completion_tokens', 'candidatesTokenCount', 'thoughtsTokenCount', 'promptTokenCount'];

/** The same for what they read from memory, and what they put there. */
const READ = ['cache_read_input_tokens', 'cached_tokens', 'cachedContentTokenCount'];
const WRITTEN = ['cache_creation_input_tokens', 'cache_write_tokens'];

function count(tokens: number | undefined): number | null {
  return tokens !== undefined && Number.isSafeInteger(tokens) && tokens >= 0 ? tokens : null;
}

function says(raw: JSONObject | undefined, names: readonly string[]): boolean {
  if (raw === undefined) return false;
  const levels = [raw, own(raw, 'input_tokens_details'), own(raw, 'prompt_tokens_details')].filter(isObject);
  return levels.some((level) => names.some((name) => typeof own(level, name) === 'number'));
}
