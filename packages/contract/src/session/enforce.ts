import type { FindingOptions } from '../evaluate/findings.js';
import type { PreparedContract } from '../evaluate/prepare.js';
import type { ContractReport, RunIdentity } from '../report/report.js';
import { jsonOf } from '../read/values.js';
import { halting } from './errors.js';
import { heldBack } from './held-stream.js';
import type { Told } from './running-facts.js';
import type { ContractSession, Totals } from './session.js';
import { openSession } from './session.js';
import type { SettlePorts } from './settle.js';
import { settle, undoing } from './settle.js';
import { readable, streamedLike, textsOfPieces } from './streamed.js';
import type { Held } from './streamed.js';

/** How an agent that is a function is looked at. Everything has a default that fits a function from a text to a text. */
export interface AgentShape<Given extends readonly unknown[], Result> {
  /** The text of the input. Default: the one argument when it is a text, else the arguments as JSON. */
  readonly inputOf?: (...given: Given) => string;
  /** The text of the output. Default: the result when it is a text, its `text` when it has one, else the result as JSON. */
  readonly outputOf?: (result: Result) => string | Uint8Array;
  /** What is known of the run besides: tokens, cost, tool calls. */
  readonly totalsOf?: (result: Result) => Totals;
}

export interface EnforceOptions<Given extends readonly unknown[], Result> extends AgentShape<Given, Result>, FindingOptions {
  /** Gets the session of a run before the agent starts, to tell its steps. */
  readonly onSession?: (session: ContractSession, given: Given) => void;
  /** Gets the report of every run that was judged, warnings and what nobody could evaluate included. */
  readonly onReport?: (report: ContractReport) => void;
  /** Undoes what the run did (`rollback`); rejects when it cannot. What it answers does not count. */
  readonly undo?: () => void | Promise<void>;
  /** The agent's own model as `provider/model`, which may not judge it. */
  readonly agentModel?: string;
  readonly tells?: readonly Told[];
}

export interface EnforcePorts extends Omit<SettlePorts, 'undo'> {
  /** Milliseconds of a clock that never goes back. */
  now(): number;
  identity(): RunIdentity;
}

/**
 * The agent, held to a contract: the same `this` and arguments, the same result, or a `ContractError` with the report (C-12). The
 * result is the agent's own and is never altered; a stream (an async iterable or generator, a `ReadableStream`, a `Readable`) is
 * held back as far as `heldBack` says. What an agent throws goes through, after its audit entry is written. After a
 * `halt_and_alert` the agent does not run again.
 */
export function enforceWith<Given extends readonly unknown[], Result>(
  prepared: PreparedContract,
  agent: (...given: Given) => Result | PromiseLike<Result>,
  { options, ports }: { readonly options: EnforceOptions<Given, Result>; readonly ports: EnforcePorts },
): (...given: Given) => Held<Result> {
  const halt = halting();
  const undo = undoing(options.undo);

  return function (this: unknown, ...given: Given) {
    return readable(run(() => agent.call(this, ...given), given));
  };

  async function run(start: () => Result | PromiseLike<Result>, given: Given): Promise<Result> {
    halt.check();
    const began = ports.now();
    const session = openSession(prepared, { ...options, identity: ports.identity(), elapsed: () => ports.now() - began });
    const before = await session.input((options.inputOf ?? inputOf)(...given));
    if (!before.allowed) await conclude(before.report, true);
    options.onSession?.(session, given);
    const result = await ran(session, start);
    const streamed = options.outputOf === undefined ? streamedLike(result, (pieces) => held(pieces, result, session)) : null;
    if (streamed !== null) return streamed;
    const output = await ran(session, () => (options.outputOf ?? outputOf)(result));
    await conclude(await session.output(output, options.totalsOf?.(result)), false);
    return result;
  }

  function held(pieces: AsyncIterable<unknown>, result: Result, session: ContractSession): AsyncGenerator<unknown> {
    const texts = textsOfPieces();
    return heldBack(pieces, {
      prepared,
      ...(options.unevaluated === undefined ? {} : { unevaluated: options.unevaluated }),
      textOf: texts.textOf,
      judge: async (text) => conclude(await session.output(texts.whole(text), options.totalsOf?.(result)), false),
    });
  }

  async function ran<T>(session: ContractSession, step: () => T | PromiseLike<T>): Promise<T> {
    try {
      return await step();
    } catch (error) {
      await conclude(await session.output(null), false);
      throw error;
    }
  }

  async function conclude(found: ContractReport, isBefore: boolean): Promise<void> {
    const { report, error } = await settle(found, { ...ports, ...undo }, isBefore);
    halt.note(report);
    options.onReport?.(report);
    if (error !== null) throw error;
  }
}

function inputOf(...given: readonly unknown[]): string {
  const [only] = given;
  return given.length === 1 && typeof only === 'string' ? only : jsonOf(given.length === 1 ? only : given);
}

function outputOf(result: unknown): string | Uint8Array {
  if (typeof result === 'string' || result instanceof Uint8Array) return result;
  const text = typeof result === 'object' && result !== null && 'text' in result ? result.text : undefined;
  if (typeof text === 'string') return text;
  const whole = jsonOf(result);
  // Judging "{}" instead of what is hidden in an object would be a pass in silence.
  if (text !== undefined || (whole === '{}' && !isPlain(result))) throw new TypeError(UNREADABLE);
  return whole;
}

const UNREADABLE =
  "The agent's result holds its text where nobody can read it. Say where by the option outputOf, or let the agent return the text, or a stream of it.";

function isPlain(value: unknown): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}
