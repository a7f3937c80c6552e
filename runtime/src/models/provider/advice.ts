import { publicAddress } from '../public-address.js';
import type { Endpoint } from './endpoint.js';
import type { Failed } from './faults.js';

/** A refusal that no second try mends, with what to do about it: the provider's own words seldom say which setting of ours is wrong. */
export function withAdvice(failed: Failed, endpoint: Endpoint): Failed {
  const advice = failed.failure === 'permanent' ? adviceOn(failed.status, endpoint) : null;
  if (advice === null) return failed;
  const words = failed.message.trimEnd();
  return { ...failed, message: `${words}${/[.!?]$/.test(words) ? '' : '.'} ${advice}` };
}

function adviceOn(status: number | undefined, endpoint: Endpoint): string | null {
  const { model, baseUrl } = endpoint;
  switch (status) {
    case 401:
      return `${keyOf(endpoint)} was not accepted at ${publicAddress(baseUrl)}: correct it, or the \`base-url\`.`;
    case 403:
      return `${keyOf(endpoint)} may not use ${model} at ${publicAddress(baseUrl)}: take another key, or a model that it may use.`;
    case 404:
      return `Either there is no model ${model}, or the \`base-url\` ${publicAddress(baseUrl)} is wrong. flow models shows what is configured.`;
    default:
      return null;
  }
}

function keyOf({ keyVariable }: Endpoint): string {
  return keyVariable === undefined ? 'No key was sent (there is no `api-key-env`), and that' : `The key in ${keyVariable}`;
}
