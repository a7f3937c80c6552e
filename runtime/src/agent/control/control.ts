/** The tools by which an agent speaks about its own work (L-8 to L-12). Pure: what a call means, not what is done about it. */
import type { ControlDecision, FactOf } from '@gated-flow/record';
import type { ToolSpec } from '../../ports/model.js';
import type { LoopAnswer, Selection } from '../../stage/decide.js';
import type { Parameters, Property } from '../tools/parameters.js';

export interface Mark {
  readonly state: 'done' | 'skipped';
  readonly evidence: string;
  readonly reason?: string;
}

export interface ControlEffect {
  /** What the agent reads. */
  readonly output: string;
  readonly error?: true;
  /** What the record says of it; absent for a call that changed nothing. */
  readonly recorded?: Recorded;
  readonly mark?: { readonly item: number; readonly mark: Mark };
  /** Ends the agent's work at once, with no further turn (L-11). */
  readonly leave?: { readonly cause: 'refused' | 'fault'; readonly reason: string };
  /** These two end it as well, and not badly. */
  readonly answer?: LoopAnswer;
  readonly selection?: Selection;
  readonly cleanTemp?: true;
}

type Recorded = { readonly decision: ControlDecision } & Pick<FactOf<'tool_call'>, 'item' | 'evidence' | 'answer' | 'reason'>;

export interface ControlTool {
  readonly spec: ToolSpec;
  act(input: unknown): ControlEffect;
}

interface ControlDefinition<T> {
  readonly name: string;
  readonly description: string;
  readonly parameters: Parameters<T>;
  act(input: T): ControlEffect;
}

/** Bad arguments are an error result that changes nothing (L-8). */
export function defineControl<T>({ name, description, parameters, act }: ControlDefinition<T>): ControlTool {
  return {
    spec: { name, description, parameters: parameters.schema },
    act(input) {
      const read = parameters.read(input);
      return read.ok ? act(read.value) : mistake(`${read.faults.join('; ')}. Nothing was changed.`);
    },
  };
}

export function mistake(output: string): ControlEffect {
  return { output, error: true };
}

/** Text that says something: white space alone is empty (L-12). */
export function words(description: string): Property<string> {
  return {
    schema: { type: 'string', minLength: 1, description },
    required: true,
    read: (value) => (typeof value === 'string' && value.trim() !== '' ? { ok: true, value } : { ok: false, wants: 'must say something' }),
  };
}
