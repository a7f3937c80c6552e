import { expect } from 'vitest';
import type { Intelligence } from '../../src/plan/plan.js';
import type { Clock } from '../../src/ports/clock.js';
import type { AgentIdentity, Answer, FailedTurn, Message, Model, ModelRequest } from '../../src/ports/model.js';
import { openModel } from '../../src/models/provider/open.js';
import { createManualClock } from '../../src/testing/manual-clock.js';

export const KEY = 'sk-a-very-secret-key';

export const AGENT: AgentIdentity = {
  stage: '02-hidden-stage',
  flow: 'hidden-flow',
  repeat: 3,
  item: 'j07',
  place: { checklist: 2, inputs: ['hidden-input.txt'] },
};

export const TOOLS: ModelRequest['tools'] = [
  {
    name: 'write',
    description: 'Writes a file.',
    parameters: { type: 'object', required: ['path'], properties: { path: { type: 'string' }, content: { type: 'string' } } },
  },
  { name: 'read', description: 'Reads a file.', parameters: { type: 'object', properties: { path: { type: 'string' } } } },
];

export async function opened(
  row: Intelligence,
  env: Readonly<Record<string, string>> = { ANTHROPIC_API_KEY: KEY },
  clock: Clock = createManualClock(),
): Promise<Model> {
  const result = await openModel(row, { env, clock });
  if (!result.ok) throw new Error(JSON.stringify(result.refusals));
  return result.model;
}

export function request(messages: readonly Message[] = [{ role: 'user', text: 'Begin.' }], more: Partial<ModelRequest> = {}): ModelRequest {
  return { system: 'You help the reader.', messages, tools: TOOLS, signal: new AbortController().signal, ...more };
}

export async function answered(model: Model, asked: ModelRequest = request()): Promise<Answer> {
  const turn = await model.open(AGENT).next(asked);
  if (turn.turn === 'failed') throw new Error(`${turn.failure}: ${turn.message}`);
  return turn;
}

export async function failed(model: Model, asked: ModelRequest = request()): Promise<FailedTurn> {
  const turn = await model.open(AGENT).next(asked);
  if (turn.turn === 'answer') throw new Error(`answered: ${turn.text}`);
  return turn;
}

/** The answer as the loop would keep it, through a session file and back. */
export function kept({ text, calls, native }: Answer): Message {
  const stored: unknown = JSON.parse(JSON.stringify(native));
  return { role: 'assistant', text, calls, native: stored };
}

/** Matchers that are no `any`. */
export const containing = (text: string): unknown => expect.stringContaining(text);
export const matching = (pattern: RegExp): unknown => expect.stringMatching(pattern);
export const holding = (object: object): unknown => expect.objectContaining(object);
