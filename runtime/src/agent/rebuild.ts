import type { SessionEntry } from '@gated-flow/record';
import type { Message, ModelSettings, ToolSpec } from '../ports/model.js';

/** All that a request to the model says. */
export interface Asked {
  readonly system: string;
  readonly tools: readonly ToolSpec[];
  readonly settings?: ModelSettings;
  readonly messages: readonly Message[];
}

/** What a line of the session is to the model; null for what is said once, beside the messages (L-2). A held agent's own messages are made by this too. */
export function messageOf(entry: SessionEntry): Message | null {
  switch (entry.kind) {
    case 'user':
      return { role: 'user', text: entry.text };
    case 'assistant': {
      const { text, calls, native } = entry;
      return { role: 'assistant', text, calls, ...(native === undefined ? {} : { native }) };
    }
    case 'tool':
      return { role: 'tool', results: entry.results };
    case 'system':
    case 'tools':
      return null;
  }
}

/**
 * Every request that was answered, oldest first: all that stood before its answer. The last one is what would be asked
 * next, or what was asked when the session ended without an answer. A try that failed asked the same as the one after it.
 */
export function* requestsOf(entries: Iterable<SessionEntry>): Generator<Asked> {
  const messages: Message[] = [];
  let beside: Omit<Asked, 'messages'> = { system: '', tools: [] };
  for (const entry of entries) {
    if (entry.kind === 'assistant') yield { ...beside, messages: [...messages] };
    if (entry.kind === 'system') beside = { ...beside, system: entry.text };
    if (entry.kind === 'tools') beside = { ...beside, tools: entry.tools, ...(entry.settings ? { settings: entry.settings } : {}) };
    const message = messageOf(entry);
    if (message) messages.push(message);
  }
  yield { ...beside, messages };
}
