import { cutText } from '@gated-flow/text';
import type { Clock } from '../ports/clock.js';
import type { Ids } from '../ports/ids.js';
import type { Answer, FailedTurn, ModelRequest, ModelSession } from '../ports/model.js';

/** How often a transient failure is tried again, and how far apart at most when the provider names no time (L-4). */
export const RETRIES = 8;
const LONGEST_PAUSE_MS = 60_000;
const FIRST_PAUSE_MS = 1_000;

export interface Asking {
  readonly session: ModelSession;
  readonly clock: Clock;
  readonly ids: Ids;
  /** What is left of the agent's clock. */
  remainingMs(): number;
  /** Called before each wait; throws a DiskError when it cannot be recorded. */
  retrying(retry: { readonly attempt: number; readonly status?: number; readonly delay_ms: number }): void;
}

/** `given-up` carries a sentence for the record: provider, model, status and the provider's words (at most 2,048 bytes). */
export type Asked = Answer | { readonly turn: 'aborted' } | { readonly turn: 'given-up'; readonly reason: string };

/** One turn, with the retries that a provider's passing trouble deserves. Never rejects for what a provider does. */
export async function ask(asking: Asking, request: ModelRequest): Promise<Asked> {
  for (let attempt = 1; ; attempt += 1) {
    const turn = await asking.session.next(request);
    if (turn.turn === 'answer') return turn;
    if (turn.failure === 'aborted' || request.signal.aborted) return { turn: 'aborted' };
    if (turn.failure !== 'transient') return { turn: 'given-up', reason: describe(turn) };
    if (attempt > RETRIES) return { turn: 'given-up', reason: `${describe(turn)} (tried ${RETRIES + 1} times)` };
    const delay = pause(turn, attempt, asking.ids);
    if (delay > asking.remainingMs()) return { turn: 'given-up', reason: tooLate(turn, delay, asking.clock) };
    asking.retrying({ attempt, ...(turn.status === undefined ? {} : { status: turn.status }), delay_ms: delay });
    await asking.clock.sleep(delay, request.signal);
    if (request.signal.aborted) return { turn: 'aborted' };
  }
}

/** The provider's word counts; without one the pause doubles, with up to half of it taken off at random. */
function pause(turn: FailedTurn, attempt: number, ids: Ids): number {
  if (turn.retryAfterMs !== undefined) return Math.max(0, Math.ceil(turn.retryAfterMs));
  const longest = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** (attempt - 1));
  return Math.round(longest * (1 - ids.fraction() / 2));
}

function tooLate(turn: FailedTurn, delay: number, clock: Clock): string {
  const at = new Date(clock.now() + delay);
  const when = Number.isNaN(at.getTime()) ? `in ${Math.round(delay / 1000)} s` : `at ${at.toISOString()}`;
  return `${describe(turn)} The next try could be made ${when}, which is past the time that is left.`;
}

function describe(turn: FailedTurn): string {
  if (turn.failure === 'script') return turn.message;
  const status = turn.status === undefined ? '' : ` (${turn.status})`;
  const what = turn.failure === 'context' ? 'the conversation no longer fits the model' : 'the call failed';
  return cutText(`${turn.provider}/${turn.model}: ${what}${status}: ${sentence(turn.message)}`, 2_048);
}

function sentence(text: string): string {
  return /[.!?…]\s*$/.test(text) ? text : `${text}.`;
}
