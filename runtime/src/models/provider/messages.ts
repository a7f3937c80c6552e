import type { JSONObject, JSONValue, LanguageModelV3Message, LanguageModelV3Prompt } from '@ai-sdk/provider';
import type { Message, ModelRequest } from '../../ports/model.js';
import type { Endpoint } from './endpoint.js';
import { nativeParts, sendableParts, type NativePart } from './native.js';

type CacheMark = { readonly providerOptions?: Record<string, JSONObject> };

/** Up to here the provider may remember the conversation. Only Anthropic wants to be told where; the others remember by themselves. */
const REMEMBER: CacheMark = { providerOptions: { anthropic: { cacheControl: { type: 'ephemeral' } } } };

/** The conversation in the library's form. An answer that held nothing is left out: providers refuse empty messages. */
export function promptOf({ system, messages }: ModelRequest, { wire, provider }: Endpoint): LanguageModelV3Prompt {
  const marked = wire === 'anthropic' ? rememberedAt(messages) : new Set<number>();
  const opening: LanguageModelV3Prompt =
    system === '' ? [] : [{ role: 'system', content: system, ...(wire === 'anthropic' ? REMEMBER : {}) }];
  return [...opening, ...messages.flatMap((message, index) => converted(message, provider, marked.has(index) ? REMEMBER : {}))];
}

/** The newest message and the one that was newest a turn ago, whose prefix the provider already holds. */
function rememberedAt(messages: readonly Message[]): ReadonlySet<number> {
  const lastAnswer = messages.findLastIndex(({ role }) => role === 'assistant');
  return new Set([messages.length - 1, lastAnswer - 1]);
}

function converted(message: Message, provider: string, mark: CacheMark): LanguageModelV3Message[] {
  switch (message.role) {
    case 'user':
      return [{ role: 'user', content: [{ type: 'text', text: message.text, ...mark }] }];
    case 'assistant':
      return answered(nativeParts(message.native, provider) ?? plainParts(message));
    case 'tool':
      return message.results.length === 0 ? [] : [resultsOf(message.results, mark)];
  }
}

function answered(parts: readonly NativePart[]): LanguageModelV3Message[] {
  const content = sendableParts(parts).map((part) =>
    part.type === 'tool-call' ? { ...part, toolName: sendableName(part.toolName) } : { ...part },
  );
  return content.length === 0 ? [] : [{ role: 'assistant', content }];
}

function plainParts({ text, calls }: Extract<Message, { role: 'assistant' }>): readonly NativePart[] {
  const called = calls.map(({ id, tool, input }) => ({ type: 'tool-call' as const, toolCallId: id, toolName: tool, input: jsonOf(input) }));
  return [{ type: 'text', text }, ...called];
}

function resultsOf(results: Extract<Message, { role: 'tool' }>['results'], mark: CacheMark): LanguageModelV3Message {
  const content = results.map(({ id, tool, output, error }, index) => ({
    type: 'tool-result' as const,
    toolCallId: id,
    toolName: sendableName(tool),
    output: { type: error === true ? ('error-text' as const) : ('text' as const), value: output },
    ...(index === results.length - 1 ? mark : {}),
  }));
  return { role: 'tool', content };
}

/** A tool of ours is so named; a name that the model made up may not be, and providers refuse the whole conversation for it. */
function sendableName(name: string): string {
  return name.replace(/[^a-zA-Z0-9_-]/gu, '_').slice(0, 64);
}

/** Calls that came from JSON are JSON; anything else a caller may have put there becomes it. */
export function jsonOf(value: unknown): JSONValue {
  const text: string | undefined = JSON.stringify(value);
  const copy: unknown = text === undefined ? null : JSON.parse(text);
  return isJson(copy) ? copy : null;
}

/** For what `JSON.parse` gave: it gives nothing else. */
function isJson(parsed: unknown): parsed is JSONValue {
  return parsed !== undefined;
}
