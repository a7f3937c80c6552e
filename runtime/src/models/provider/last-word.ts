import { isObject, own } from '../json.js';
import type { Wire } from './endpoint.js';

/** Whether a piece of a stream, as its server sent it, is the last that the model has to say. Some servers keep the connection open after it. */
export function isLastWord(said: unknown, wire: Wire): boolean {
  if (!isObject(said)) return false;
  switch (wire) {
    case 'anthropic':
      return own(said, 'type') === 'message_stop';
    case 'openai':
      return ['response.completed', 'response.incomplete', 'response.failed'].some((type) => own(said, 'type') === type);
    case 'google':
      return hasReason(own(said, 'candidates'), 'finishReason');
    case 'openai-compatible':
      return hasReason(own(said, 'choices'), 'finish_reason');
  }
}

function hasReason(ways: unknown, name: string): boolean {
  const first: unknown = Array.isArray(ways) ? ways[0] : undefined;
  return isObject(first) && typeof own(first, name) === 'string';
}
