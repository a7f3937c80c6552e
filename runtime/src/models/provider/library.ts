import type { LanguageModel } from 'ai';
import type { Endpoint } from './endpoint.js';
import type { WebFetch } from './transport.js';

/** The library's model for an endpoint. Everything is passed in: what the provider modules would read from the environment is not theirs to read. */
export async function libraryModel(endpoint: Endpoint, fetch: WebFetch): Promise<LanguageModel> {
  const { baseUrl: baseURL, key: apiKey, model } = endpoint;
  if (endpoint.wire === 'anthropic') {
    const { createAnthropic } = await import('@ai-sdk/anthropic');
    return createAnthropic({ baseURL, apiKey: apiKey ?? '', fetch })(model);
  }
  const { createOpenAICompatible } = await import('@ai-sdk/openai-compatible');
  return createOpenAICompatible({ name: 'openaiCompatible', baseURL, apiKey, fetch, includeUsage: true })(model);
}
