/** What a session says, in the form that the conventions give to messages: only for who asked for contents. */
import type { SessionLine } from '@gated-flow/record';

export interface Message {
  readonly role: 'user' | 'assistant' | 'tool';
  readonly parts: readonly object[];
  readonly finish_reason?: string;
}

export function messageOf(line: SessionLine & { readonly kind: 'user' | 'assistant' | 'tool' }): Message {
  switch (line.kind) {
    case 'user':
      return { role: 'user', parts: [{ type: 'text', content: line.text }] };
    case 'assistant':
      return {
        role: 'assistant',
        parts: [
          ...(line.text === '' ? [] : [{ type: 'text', content: line.text }]),
          ...line.calls.map(({ id, tool, input }) => ({ type: 'tool_call', id, name: tool, arguments: input })),
        ],
        finish_reason: { end: 'stop', calls: 'tool_call' }[line.stop] ?? line.stop,
      };
    case 'tool':
      return { role: 'tool', parts: line.results.map(({ id, output }) => ({ type: 'tool_call_response', id, response: output })) };
  }
}

/** Attributes of spans hold no structures: it is JSON in text. */
export function contentOf(value: unknown): string {
  return JSON.stringify(value);
}
