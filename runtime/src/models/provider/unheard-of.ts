import { isObject, own } from '../json.js';
import type { Wire } from './endpoint.js';

/**
 * A kind of event, block or piece that the library does not know. Anthropic adds some from time to time and asks that they be passed over;
 * the library takes them for faults. What it knows and finds malformed stays one.
 */
export function isUnheardOf(error: unknown, wire: Wire): boolean {
  if (wire !== 'anthropic' || !isObject(error) || own(error, 'name') !== 'AI_TypeValidationError') return false;
  const event = own(error, 'value');
  if (!isObject(event)) return false;
  switch (own(event, 'type')) {
    case 'content_block_start':
      return isNew(own(event, 'content_block'), BLOCKS);
    case 'content_block_delta':
      return isNew(own(event, 'delta'), PIECES);
    default:
      return isNew(event, EVENTS);
  }
}

function isNew(value: unknown, known: ReadonlySet<string>): boolean {
  const type = isObject(value) ? own(value, 'type') : undefined;
  return typeof type === 'string' && !known.has(type);
}

const EVENTS = new Set(['message_start', 'message_delta', 'message_stop', 'content_block_stop', 'ping', 'error']);
const BLOCKS = new Set(['text', 'thinking', 'redacted_thinking', 'tool_use']);
const PIECES = new Set(['text_delta', 'thinking_delta', 'signature_delta', 'input_json_delta']);
