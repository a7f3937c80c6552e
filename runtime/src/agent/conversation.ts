import type { SessionEntry } from '@gated-flow/record';
import type { Redactor } from '@gated-flow/text';
import type { Answer, Message, ModelSettings, ToolResult, ToolSpec } from '../ports/model.js';
import type { SessionLog } from '../record/recorder.js';
import { messageOf } from './rebuild.js';

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
  readonly settings?: ModelSettings | undefined;
  readonly log: SessionLog;
  readonly redactor: Redactor;
}

/** Writes the system and tools lines; throws a DiskError when the session file cannot be written. */
export function openConversation({ system, tools, settings, log, redactor }: ConversationStart): Conversation {
  const messages: Message[] = [];
  log.append({ kind: 'system', text: system });
  log.append({ kind: 'tools', tools, ...(settings === undefined ? {} : { settings }) });
  /** Written first: what the model is sent is what the file says. */
  function say(entry: SessionEntry): void {
    log.append(entry);
    const message = messageOf(entry);
    if (message) messages.push(message);
  }
  return {
    system,
    tools,
    messages,
    user: (text, why) => say({ kind: 'user', text: redactor.text(text), why }),
    assistant: (answer) => say({ kind: 'assistant', ...redacted(answer, redactor) }),
    results: (results) => say({ kind: 'tool', results: redactor.json(results) }),
  };
}

type AssistantEntry = Omit<Extract<SessionEntry, { kind: 'assistant' }>, 'kind'>;

/** A native form that holds a secret is dropped: it is signed, so it cannot be cleaned, and the plain form stands for it. */
function redacted({ text, calls, stop, native }: Answer, redactor: Redactor): AssistantEntry {
  const plain = { text: redactor.text(text), calls: redactor.json(calls), stop };
  if (native === undefined) return plain;
  const kept = JSON.stringify(redactor.json(native)) === JSON.stringify(native);
  return kept ? { ...plain, native } : plain;
}
