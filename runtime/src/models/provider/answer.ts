import type { JSONObject, LanguageModelV3StreamPart } from '@ai-sdk/provider';
import type { Answer, ToolCall, Usage } from '../../ports/model.js';
import { isObject } from '../json.js';
import { endedBy, type Ended } from './ended.js';
import type { Wire } from './endpoint.js';
import { isLastWord } from './last-word.js';
import { jsonOf } from './messages.js';
import type { NativePart } from './native.js';
import { isUnheardOf } from './unheard-of.js';
import { UNNAMED } from './unnamed-calls.js';
import { usageOf } from './usage.js';

export type Gathered =
  | {
      readonly gathered: 'answer';
      readonly parts: readonly NativePart[];
      readonly calls: readonly ToolCall[];
      readonly stop: Answer['stop'];
      readonly usage: Usage;
    }
  /** The stream is no answer; `words` is what the model had said until then. */
  | { readonly gathered: 'none'; readonly ended: Exclude<Ended, { ended: 'answer' }>; readonly words: string }
  | { readonly gathered: 'error'; readonly error: unknown };

type Part = LanguageModelV3StreamPart;
type Spoken = { type: 'text' | 'reasoning'; text: string; providerOptions?: Record<string, JSONObject> };
type Metadata = Record<string, JSONObject> | undefined;

export interface Gathering {
  readonly wire: Wire;
  /** The model has said its last word. */
  readonly conclude: () => void;
}

/** Consumes a whole stream and puts its pieces together, in the order in which they began. */
export async function gather(stream: AsyncIterable<Part>, { wire, conclude }: Gathering): Promise<Gathered> {
  const parts: NativePart[] = [];
  const calls: ToolCall[] = [];
  const open = new Map<string, Spoken>();
  let end: Extract<Part, { type: 'finish' }> | undefined;
  for await (const part of stream) {
    if (part.type === 'raw' && isLastWord(part.rawValue, wire)) conclude();
    if (part.type === 'error' && !isUnheardOf(part.error, wire)) return { gathered: 'error', error: part.error };
    if (part.type === 'finish') end = part;
    if (part.type === 'tool-call') {
      const call = apart(callOf(part), calls);
      calls.push(call);
      parts.push({
        type: 'tool-call',
        toolCallId: call.id,
        toolName: call.tool,
        input: jsonOf(call.input),
        ...optionsOf(part.providerMetadata),
      });
    }
    const spoken = spokenIn(part, open);
    if (spoken !== undefined) parts.push(spoken);
  }
  const ended: Ended =
    end === undefined ? { ended: 'truncated' } : endedBy(end.finishReason, { calls: calls.length, words: textOf(parts) });
  if (end === undefined || ended.ended !== 'answer') {
    return { gathered: 'none', ended: ended.ended === 'answer' ? { ended: 'truncated' } : ended, words: textOf(parts) };
  }
  return { gathered: 'answer', parts, calls, stop: ended.stop, usage: usageOf(end.usage) };
}

/** What was said aloud. */
export function textOf(parts: readonly NativePart[]): string {
  return parts.map((part) => (part.type === 'text' ? part.text : '')).join('');
}

/** Adds a piece of text or reasoning to what is open; gives it back when it has just begun. */
function spokenIn(part: Part, open: Map<string, Spoken>): Spoken | undefined {
  if (!/^(?:text|reasoning)-(?:start|delta|end)$/.test(part.type) || !('id' in part)) return undefined;
  const type = part.type.startsWith('text') ? 'text' : 'reasoning';
  const known = open.get(`${type} ${part.id}`);
  const spoken: Spoken = known ?? { type, text: '' };
  if ('delta' in part) spoken.text += part.delta;
  if ('providerMetadata' in part && part.providerMetadata !== undefined)
    spoken.providerOptions = merged(spoken.providerOptions, part.providerMetadata);
  open.set(`${type} ${part.id}`, spoken);
  return known === undefined ? spoken : undefined;
}

/** A signature comes in a piece of its own, after the text that it signs. */
function merged(before: Metadata, more: Record<string, JSONObject>): Record<string, JSONObject> {
  return Object.fromEntries(
    Object.entries({ ...before, ...more }).map(([provider, options]) => [provider, { ...before?.[provider], ...options }]),
  );
}

function optionsOf(metadata: Metadata): { providerOptions?: Record<string, JSONObject> } {
  return metadata === undefined ? {} : { providerOptions: metadata };
}

/** A call of a tool that nobody offered passes as it is; no arguments are an empty object, and what is no object stays a text. */
function callOf({ toolCallId, toolName, input }: Extract<Part, { type: 'tool-call' }>): ToolCall {
  const call = { id: toolCallId, tool: toolName.trim() === '' ? UNNAMED : toolName };
  if (input.trim() === '') return { ...call, input: {} };
  try {
    const value: unknown = JSON.parse(input);
    if (isObject(value)) return { ...call, input: value };
    return { ...call, input: { unparsed: input }, malformed: 'The arguments are not an object.' };
  } catch (error) {
    return { ...call, input: { unparsed: input }, malformed: error instanceof Error ? error.message : String(error) };
  }
}

/** Providers refuse a conversation in which two calls of one answer have one id: the later one gets a number. */
function apart(call: ToolCall, before: readonly ToolCall[]): ToolCall {
  const taken = new Set(before.map(({ id }) => id));
  let id = call.id;
  for (let number = 2; taken.has(id); number += 1) id = `${call.id}-${number}`;
  return { ...call, id };
}
