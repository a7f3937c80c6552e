import type { SessionEntry } from '@gated-flow/record';
import type { Redactor } from '@gated-flow/text';
import type { Answer, Message, ToolResult, ToolSpec } from '../ports/model.js';
import type { SessionLog } from '../record/recorder.js';

/**
 * The one session of a stage: what the model is sent and what `session.jsonl` says are the same values (L-2).
 * Messages are only ever added. Secrets are taken out before a message exists (S-2).
 */
export interface Conversation {
  readonly system: string;
  readonly tools: readonly ToolSpec[];
  readonly messages: readonly Message[];
  user(text: string, why: Extract<SessionEntry, { kind: 'user' }>['why']): void;
  assistant(answer: Answer): void;
  results(results: readonly ToolResult[]): void;
}

export interface ConversationStart {
  /** Already without secrets. */
  readonly system: string;
  readonly tools: readonly ToolSpec[];
  readonly log: SessionLog;
  readonly redactor: Redactor;
}

/** Writes the system and tools lines; throws a DiskError when the session file cannot be written. */
export function openConversation({ system, tools, log, redactor }: ConversationStart): Conversation {
  const messages: Message[] = [];
  log.append({ kind: 'system', text: system });
  log.append({ kind: 'tools', tools });
  return {
    system,
    tools,
    messages,
    user(text, why) {
      const clean = redactor.text(text);
      log.append({ kind: 'user', text: clean, why });
      messages.push({ role: 'user', text: clean });
    },
    assistant(answer) {
      const message = redacted(answer, redactor);
      log.append({ kind: 'assistant', text: message.text, calls: message.calls, stop: answer.stop, ...native(message.native) });
      messages.push({ role: 'assistant', ...message });
    },
    results(results) {
      const clean = results.map((result) => ({ ...result, output: redactor.text(result.output) }));
      log.append({ kind: 'tool', results: clean });
      messages.push({ role: 'tool', results: clean });
    },
  };
}

/** A native form that holds a secret is dropped: it is signed, so it cannot be cleaned, and the plain form stands for it. */
function redacted(answer: Answer, redactor: Redactor): { text: string; calls: Answer['calls']; native?: unknown } {
  const plain = { text: redactor.text(answer.text), calls: redactor.json(answer.calls) };
  if (answer.native === undefined) return plain;
  const kept = JSON.stringify(redactor.json(answer.native)) === JSON.stringify(answer.native);
  return kept ? { ...plain, native: answer.native } : plain;
}

function native(value: unknown): { native?: unknown } {
  return value === undefined ? {} : { native: value };
}
