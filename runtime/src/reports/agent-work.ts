/** What an agent took for its work, from the events of one pass of its stage. Pure. */
import type { RecordEvent } from '@gated-flow/record';

export interface AgentWork {
  add(event: RecordEvent): void;
  sum(): AgentSum;
}

export interface AgentSum {
  readonly turns: number;
  /** Turns, and the one that a contract did not let begin. */
  readonly steps: number;
  /** The agent's own clock over all rounds: neither checks, hooks nor child runs. */
  readonly ms: number;
  /** Null when one turn did not tell. */
  readonly outputTokens: number | null;
  /** Of the largest request. */
  readonly inputTokens: number | null;
  readonly costUsd: number | null;
  /** `provider/model` of the last turn. */
  readonly model: string | null;
  /** What the agent was told of calls that `access` denied. */
  readonly denied: readonly string[];
  /** The last round left an output to judge. */
  readonly candidate: boolean;
}

export function agentWork(): AgentWork {
  const clock = workClock();
  const denied: string[] = [];
  let [turns, candidate, stopped] = [0, false, false];
  let model: string | null = null;
  let round: number | undefined;
  let usage: Pick<AgentSum, 'outputTokens' | 'inputTokens' | 'costUsd'> = { outputTokens: 0, inputTokens: 0, costUsd: 0 };

  return {
    add(event) {
      clock.add(event);
      switch (event.event) {
        case 'turn':
          turns += 1;
          // A loop's question is put in the round whose output passed.
          candidate &&= event.retry === round;
          round = event.retry;
          model = `${event.provider}/${event.model}`;
          usage = {
            outputTokens: sum(usage.outputTokens, event.output),
            inputTokens: largest(usage.inputTokens, event.input),
            costUsd: sum(usage.costUsd, event.cost_usd),
          };
          return;
        case 'tool_call':
          if (event.decision === 'denied' && event.reason !== undefined) denied.push(event.reason);
          return;
        case 'check':
          if (event.check === 'output') candidate = event.exit === 0;
          return;
        case 'contract':
          stopped ||= event.clause_name === 'max_steps' && event.action_taken !== 'warn';
          return;
        default:
          return;
      }
    },
    sum: () => ({ ...usage, turns, steps: turns + (stopped ? 1 : 0), ms: clock.ms(), model, denied, candidate }),
  };
}

/** To nano-dollars, so that ten turns of 0.1 are 1. */
function sum(a: number | null, b: number | null): number | null {
  return a === null || b === null ? null : Math.round((a + b) * 1e9) / 1e9;
}

function largest(a: number | null, b: number | null): number | null {
  return a === null || b === null ? null : Math.max(a, b);
}

/** The agent works from its prompt to the first check, and from the last check of a round to the next one. */
function workClock(): { add(event: RecordEvent): void; ms(): number } {
  let [spent, rested, helping] = [0, 0, 0];
  let since: number | null = null;

  return {
    add(event) {
      const at = Date.parse(event.ts);
      switch (event.event) {
        case 'prompt':
          since = at;
          return;
        case 'turn':
          since ??= rested;
          return;
        case 'check':
        case 'hook':
          pause(at - event.ms);
          rested = at;
          return;
        case 'subflow_start':
          if ((helping += 1) === 1) pause(at);
          return;
        case 'subflow_call':
          if ((helping -= 1) === 0) since = at;
          return;
        case 'stage_end':
          pause(at);
          return;
        default:
          return;
      }
    },
    ms: () => Math.max(0, Math.round(spent)),
  };

  function pause(at: number): void {
    if (since !== null) spent += at - since;
    since = null;
  }
}
