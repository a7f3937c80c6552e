/**
 * The held agent: one session that works until it stops, and goes on in the same session when it is given more to
 * read (L-1 to L-5). What it did before is never altered or dropped.
 */
import type { SessionEntry } from '@gated-flow/record';
import type { LiveContracts } from '../contract/held.js';
import type { Clock } from '../ports/clock.js';
import type { Ids } from '../ports/ids.js';
import type { Answer, ModelSession, ToolCall, ToolResult } from '../ports/model.js';
import type { Stop } from '../ports/stop.js';
import type { Recorder } from '../record/recorder.js';
import type { Budget } from '../run/budget.js';
import type { Ending, LoopAnswer, Selection } from '../stage/decide.js';
import { fault, stopped } from '../stage/ending.js';
import { ask } from './ask.js';
import type { AgentClock } from './clock.js';
import type { Conversation } from './conversation.js';

/** `stopped`: the agent answered without a tool call, which is asking to leave. */
export type AgentEnd = { readonly end: 'stopped' } | Left;

/** A call ended the agent's work, or something around it did (L-11). */
export type Left =
  | { readonly end: 'left'; readonly ending: Ending }
  | { readonly end: 'answered'; readonly answer: LoopAnswer }
  | { readonly end: 'selected'; readonly selection: Selection };

export interface HeldAgent {
  /** Gives the agent something to read and lets it work until it stops or its work ends. Rejects only with a DiskError. */
  work(text: string, why: Extract<SessionEntry, { kind: 'user' }>['why'], attempt: number): Promise<AgentEnd>;
}

export interface Seat {
  readonly conversation: Conversation;
  readonly session: ModelSession;
  readonly agentClock: AgentClock;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly stop: Stop;
  readonly budget: Budget;
  readonly recorder: Recorder;
  /** The stage, and the repeat inside a loop. */
  readonly where: { readonly stage: string; readonly repeat?: number };
  /** For the sentence about a spent clock. */
  readonly timeoutSeconds: number;
  /** Answers every call of a turn, in order; `leave` when one of them ended the work. */
  dispatch(calls: readonly ToolCall[], attempt: number): Promise<{ readonly results: readonly ToolResult[]; readonly leave?: Left }>;
  thinking(attempt: number): void;
  /** The contracts over the stage; null where none holds. */
  readonly contracts: LiveContracts | null;
}

/** Cut-off answers in a row that end the work (L-3). */
const CUTS = 10;
const GO_ON = 'Your last message was cut off because it was too long. Go on from where it stopped, in smaller pieces.';

export function holdAgent(seat: Seat): HeldAgent {
  return {
    async work(text, why, attempt) {
      seat.conversation.user(text, why);
      seat.agentClock.start();
      try {
        return await takeTurns(seat, attempt);
      } finally {
        seat.agentClock.pause();
      }
    },
  };
}

async function takeTurns(seat: Seat, attempt: number): Promise<AgentEnd> {
  const { conversation, agentClock, stop } = seat;
  const signal = AbortSignal.any([stop.signal, agentClock.spent]);
  for (let cuts = 0; ;) {
    const over = outOfTime(seat, attempt) ?? outOfMoney(seat) ?? seat.contracts?.turn(attempt);
    if (over) return { end: 'left', ending: over };
    seat.thinking(attempt);
    const began = seat.clock.elapsed();
    const { system, messages, tools } = conversation;
    const asked = await ask(asking(seat, attempt), { system, messages, tools, signal, ...cap(seat) });
    if (asked.turn === 'aborted') return { end: 'left', ending: outOfTime(seat, attempt) ?? fault('The call was aborted.') };
    if (asked.turn === 'given-up') return { end: 'left', ending: fault(asked.reason) };
    keep(seat, asked, { attempt, ms: Math.round(seat.clock.elapsed() - began) });
    const crossed = seat.contracts?.answered(asked);
    if (crossed) return { end: 'left', ending: crossed };

    cuts = asked.stop === 'length' ? cuts + 1 : 0;
    if (cuts === CUTS) return { end: 'left', ending: fault(`${CUTS} answers in a row were cut off by the output limit.`) };
    if (asked.calls.length > 0) {
      const { results, leave } = await seat.dispatch(asked.calls, attempt);
      conversation.results(results);
      if (leave) return late(seat, attempt) ?? leave;
    } else if (asked.stop === 'length') {
      conversation.user(GO_ON, 'go-on');
    } else {
      return { end: 'stopped' };
    }
  }
}

/** The session first, then the record, then the money: a crash between them loses no turn (L-2). */
function keep(seat: Seat, answer: Answer, { attempt, ms }: { attempt: number; ms: number }): void {
  const { provider, model, usage, costUsd, stop } = answer;
  seat.conversation.assistant(answer);
  seat.recorder.append({ event: 'turn', ...seat.where, retry: attempt, provider, model, ...usage, cost_usd: costUsd, stop, ms });
  seat.budget.add(costUsd);
}

function asking(seat: Seat, attempt: number): Parameters<typeof ask>[0] {
  return {
    session: seat.session,
    clock: seat.clock,
    ids: seat.ids,
    remainingMs: () => seat.agentClock.remainingMs(),
    retrying: (retry) => seat.recorder.append({ event: 'provider_retry', ...seat.where, retry: attempt, ...retry }),
  };
}

/** What a contract leaves of the tokens that may be written (C-7). */
function cap({ contracts }: Seat): { readonly maxOutputTokens?: number } {
  const left = contracts?.outputTokens() ?? null;
  return left === null ? {} : { maxOutputTokens: Math.max(1, left) };
}

function late(seat: Seat, attempt: number): Left | null {
  const ending = outOfTime(seat, attempt);
  return ending && { end: 'left', ending };
}

/** A contract's own limit of time may be what the clock ran out for. */
function outOfTime({ stop, agentClock, timeoutSeconds, contracts }: Seat, attempt: number): Ending | null {
  const reason = stop.reason();
  if (reason) return stopped(reason);
  if (!agentClock.spent.aborted) return null;
  const crossed = contracts?.turn(attempt);
  if (crossed) return crossed;
  return { cause: 'timeout', exit: 1, reason: `The work was not finished within its ${timeoutSeconds} s (timeout).` };
}

function outOfMoney({ budget }: Seat): Ending | null {
  const reason = budget.exceeded();
  return reason === null ? null : { cause: 'rejected', exit: 1, reason };
}
