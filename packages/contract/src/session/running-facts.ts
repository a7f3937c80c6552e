import type { Content, RunFacts, ToolCall } from '../facts.js';
import { NOTHING_KNOWN } from '../facts.js';

/** What an agent does. All but `answer` are told before they happen. */
export type Step =
  /** The model is about to be asked. */
  | { readonly kind: 'turn' }
  /** The model has answered. Null: nobody knows; left out for tokens: nobody said. */
  | {
      readonly kind: 'answer';
      readonly text?: string;
      /** Of this answer. */
      readonly outputTokens?: number | null;
      /** Of this request, its cached part included. */
      readonly inputTokens?: number | null;
      readonly costUsd?: number | null;
    }
  | { readonly kind: 'call'; readonly name: string; readonly arguments?: unknown }
  | { readonly kind: 'command'; readonly command: string }
  | { readonly kind: 'change'; readonly path: string };

export interface RunningFacts {
  setInput(input: Content): void;
  take(step: Step): void;
  facts(durationMs: number): RunFacts;
  /** As they would be after the step. */
  with(step: Step, durationMs: number): RunFacts;
}

/** What a host tells the session of, without leaving one out. Of the rest nothing is known until it is told. */
export type Told = 'turns' | 'calls' | 'commands' | 'changes';

export interface RunningOptions {
  /** The agent's own model as `provider/model`, which may not judge it. */
  readonly agentModel?: string;
  readonly tells?: readonly Told[];
}

/** The facts of a run that is going on: a number that is unknown once stays unknown. */
export function beginRun({ agentModel, tells = [] }: RunningOptions): RunningFacts {
  let now: RunFacts = {
    ...NOTHING_KNOWN,
    ...(tells.includes('turns') ? NO_TURNS : {}),
    toolCalls: tells.includes('calls') ? [] : null,
    commands: tells.includes('commands') ? [] : null,
    changedFiles: tells.includes('changes') ? [] : null,
    agentModel: agentModel ?? null,
  };
  return {
    setInput: (input) => (now = { ...now, input }),
    take: (step) => (now = after(now, step)),
    facts: (durationMs) => ({ ...now, durationMs }),
    with: (step, durationMs) => ({ ...after(now, step), durationMs }),
  };
}

const NO_TURNS = { steps: 0, costUsd: 0, stepCostUsd: 0, outputTokens: 0, inputTokens: 0 };

function after(before: RunFacts, step: Step): RunFacts {
  const began = before.steps !== null || (step.kind !== 'turn' && step.kind !== 'answer');
  const facts = began ? before : { ...before, ...NO_TURNS };
  switch (step.kind) {
    case 'turn':
      return { ...facts, steps: (facts.steps ?? 0) + 1 };
    case 'answer': {
      const { outputTokens = null, inputTokens = null, costUsd = null } = step;
      return {
        ...facts,
        outputTokens: sum(facts.outputTokens, outputTokens),
        inputTokens: largest(facts.inputTokens, inputTokens),
        costUsd: sum(facts.costUsd, costUsd),
        stepCostUsd: largest(facts.stepCostUsd, costUsd),
      };
    }
    case 'call':
      return { ...facts, toolCalls: [...(facts.toolCalls ?? []), callOf(step)] };
    case 'command':
      return { ...facts, commands: [...(facts.commands ?? []), step.command] };
    case 'change':
      return facts.changedFiles?.includes(step.path) ? facts : { ...facts, changedFiles: [...(facts.changedFiles ?? []), step.path] };
  }
}

function callOf({ name, arguments: given }: Extract<Step, { kind: 'call' }>): ToolCall {
  return given === undefined ? { name } : { name, arguments: given };
}

/** To nano-dollars, so that ten steps of 0.1 are 1. */
function sum(a: number | null, b: number | null): number | null {
  return a === null || b === null ? null : Math.round((a + b) * 1e9) / 1e9;
}

function largest(a: number | null, b: number | null): number | null {
  return a === null || b === null ? null : Math.max(a, b);
}
