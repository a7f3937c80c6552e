import type { JSONObject } from '@ai-sdk/provider';
import type { Endpoint, Wire } from './endpoint.js';
import { reasoningOptions } from './reasoning.js';

/** What every request to an endpoint says besides the conversation. */
export interface RequestSettings {
  readonly maxOutputTokens?: number;
  readonly providerOptions: Record<string, JSONObject>;
}

/** Under which name the library takes a protocol's own options, and gives back what is signed. */
const OPTIONS_NAME: Readonly<Record<Wire, string>> = {
  anthropic: 'anthropic',
  openai: 'openai',
  google: 'google',
  'openai-compatible': 'openaiCompatible',
};

/** Tokens. Anthropic's servers want to be told a limit; the others know their model's. */
const ANTHROPIC_OUTPUT_TOKENS = 32_000;

/** `most` is what the request itself allows to be written. */
export function requestSettings(endpoint: Endpoint, most?: number): RequestSettings {
  const { wire } = endpoint;
  const options = { ...(wire === 'openai' ? UNSTORED : {}), ...reasoningOptions(endpoint) };
  return {
    maxOutputTokens: least(endpoint.maxOutputTokens ?? (wire === 'anthropic' ? ANTHROPIC_OUTPUT_TOKENS : undefined), most),
    providerOptions: Object.keys(options).length === 0 ? {} : { [OPTIONS_NAME[wire]]: options },
  };
}

function least(own: number | undefined, most: number | undefined): number | undefined {
  return own === undefined || most === undefined ? (own ?? most) : Math.min(own, most);
}

/** The conversation lives in our session file alone; reasoning comes back encrypted and is sent again (L-2). */
const UNSTORED = { store: false } as const;
