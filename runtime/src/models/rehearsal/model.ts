import { compareBytes } from '@gated-flow/text';
import type { AgentIdentity, Answer, Message, Model, ModelRequest, ToolCall, Turn } from '../../ports/model.js';
import { rehearsedOutput } from './output.js';

export interface RehearsalOptions {
  /** Which alternative a CHOOSE takes, by its path; the first in name order where nothing is said. */
  readonly choose?: Readonly<Record<string, string>>;
}

/**
 * A model that needs no script (M-6). What it does follows from the conversation alone: told something, it chooses,
 * answers or works; shown the results of that, it stops. Sent back, it does the same again.
 */
export function rehearsalModel(options: RehearsalOptions = {}): Model {
  return { source: 'rehearsal', open: (who) => ({ next: (request) => respond(who, request, options) }) };
}

async function respond(who: AgentIdentity, request: ModelRequest, options: RehearsalOptions): Promise<Turn> {
  if (request.signal.aborted) return { turn: 'failed', failure: 'aborted', message: 'The turn was cut short.', ...WHO };
  const offers = (tool: string): boolean => request.tools.some(({ name }) => name === tool);
  const move = nextMove(request.messages, offers);
  if (move === 'stop') return answer('Done.', []);
  if (move === 'select') return answer('', numbered([{ tool: 'select', input: selection(who, options) }], request));
  if (move === 'continue') return answer('', numbered([{ tool: 'continue', input: { answer: 'stop', reason: 'rehearsal' } }], request));
  return work(who, request, offers);
}

type Move = 'work' | 'select' | 'continue' | 'stop';

/** A `continue` that was no answer to a question comes back as an error: then the message was a send-back. */
function nextMove(messages: readonly Message[], offers: (tool: string) => boolean): Move {
  const newest = messages.at(-1);
  if (newest?.role === 'tool') {
    return newest.results.some(({ tool, error }) => tool === 'continue' && error === true) && offers('write') ? 'work' : 'stop';
  }
  if (offers('select')) return 'select';
  const worked = messages.some(({ role }) => role === 'assistant');
  return offers('continue') && (worked || !offers('write')) ? 'continue' : 'work';
}

function selection(who: AgentIdentity, { choose = {} }: RehearsalOptions): object {
  const named = Object.hasOwn(choose, who.stage) ? choose[who.stage] : undefined;
  const [first] = [...(who.place.alternatives ?? [])].sort(compareBytes);
  return { name: named ?? first ?? '', reason: 'rehearsal' };
}

async function work(who: AgentIdentity, request: ModelRequest, offers: (tool: string) => boolean): Promise<Turn> {
  const { content, note } = await rehearsedOutput(who);
  const marks = Array.from({ length: offers('mark') ? who.place.checklist : 0 }, (_, index) => ({
    tool: 'mark',
    input: { item: index + 1, state: 'done', evidence: 'rehearsal' },
  }));
  const cited = offers('cite') ? [{ tool: 'cite', input: { claim: 'A rehearsal.', source: 'rehearsal', retrieved: '2000-01-01' } }] : [];
  const written = offers('write') ? [{ tool: 'write', input: { path: '$OUTPUT', content } }] : [];
  return answer(note ?? '', numbered([...marks, ...cited, ...written], request));
}

function numbered(calls: readonly { readonly tool: string; readonly input: object }[], request: ModelRequest): readonly ToolCall[] {
  return calls.map((call, index) => ({ id: `call-${request.messages.length}-${index + 1}`, ...call }));
}

const WHO = { provider: 'rehearsal', model: 'rehearsal' } as const;

function answer(text: string, calls: readonly ToolCall[]): Answer {
  const usage = { input: 0, output: 0, cache_read: 0, cache_write: 0 };
  return { turn: 'answer', text, calls, stop: calls.length > 0 ? 'calls' : 'end', usage, costUsd: 0, ...WHO };
}
