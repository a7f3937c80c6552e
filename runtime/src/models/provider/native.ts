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

/**
 * What of an answer goes back to its provider. Left out is what providers refuse: empty text, reasoning that nothing
 * follows (a cut answer ends so), and reasoning of OpenAI's that came without its encrypted form, since nothing is stored there.
 */
export function sendableParts(parts: readonly NativePart[]): readonly NativePart[] {
  const spoken = parts.filter((part) => part.type !== 'text' || part.text.trim() !== '');
  const last = spoken.findLastIndex(({ type }) => type !== 'reasoning');
  const lost = unencrypted(spoken);
  return spoken.slice(0, last + 1).filter((part) => part.type !== 'reasoning' || !lost.has(itemOf(part)));
}

/** Ids of OpenAI's reasoning items that none of their pieces carries in encrypted form. */
function unencrypted(parts: readonly NativePart[]): ReadonlySet<unknown> {
  const items = parts.filter((part) => part.type === 'reasoning' && itemOf(part) !== undefined);
  const kept = new Set(items.filter(isEncrypted).map(itemOf));
  return new Set(items.map(itemOf).filter((item) => !kept.has(item)));
}

function itemOf({ providerOptions }: NativePart): unknown {
  return providerOptions?.['openai']?.['itemId'];
}

function isEncrypted({ providerOptions }: NativePart): boolean {
  return typeof providerOptions?.['openai']?.['reasoningEncryptedContent'] === 'string';
}
