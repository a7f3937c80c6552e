import type { JSONObject, JSONValue } from '@ai-sdk/provider';
import { isObject, own } from '../json.js';

/** One piece of an answer as it goes back: text, signed reasoning, a call. JSON, so that a session file can hold it. */
export type NativePart =
  | { readonly type: 'text' | 'reasoning'; readonly text: string; readonly providerOptions?: Record<string, JSONObject> }
  | {
      readonly type: 'tool-call';
      readonly toolCallId: string;
      readonly toolName: string;
      readonly input: JSONValue;
      readonly providerOptions?: Record<string, JSONObject>;
    };

/** The parts that this provider left in a message; null for anything else, also for another provider's. */
export function nativeParts(native: unknown, provider: string): readonly NativePart[] | null {
  if (!isObject(native) || own(native, 'provider') !== provider) return null;
  const parts = own(native, 'parts');
  return Array.isArray(parts) && parts.every(isPart) ? parts : null;
}

function isPart(value: unknown): value is NativePart {
  if (!isObject(value)) return false;
  if (value['type'] === 'text' || value['type'] === 'reasoning') return typeof value['text'] === 'string';
  return value['type'] === 'tool-call' && typeof value['toolCallId'] === 'string' && typeof value['toolName'] === 'string';
}
