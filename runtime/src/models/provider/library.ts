import type { LanguageModelV3 } from '@ai-sdk/provider';
import type { Endpoint } from './endpoint.js';
import type { WebFetch } from './transport.js';
import { namingCalls } from './unnamed-calls.js';

/** The library's model for an endpoint. Everything is passed in: what the provider modules would read from the environment is not theirs to read. */
export async function libraryModel(endpoint: Endpoint, fetch: WebFetch): Promise<LanguageModelV3> {
  const { baseUrl: baseURL, key, model } = endpoint;
  switch (endpoint.wire) {
    case 'anthropic': {
      const { createAnthropic } = await import('@ai-sdk/anthropic');
      return createAnthropic({ baseURL, apiKey: key ?? '', fetch })(model);
    }
    case 'openai': {
      const { createOpenAI } = await import('@ai-sdk/openai');
      return createOpenAI({ baseURL, apiKey: key ?? '', fetch }).responses(model);
    }
    case 'google': {
      const { createGoogleGenerativeAI } = await import('@ai-sdk/google');
      return createGoogleGenerativeAI({ baseURL, apiKey: key ?? '', fetch })(model);
    }
    case 'openai-compatible': {
      const { createOpenAICompatible } = await import('@ai-sdk/openai-compatible');
      return createOpenAICompatible({ name: 'openaiCompatible', baseURL, apiKey: key, fetch: namingCalls(fetch), includeUsage: true })(
        model,
      );
    }
  }
}
