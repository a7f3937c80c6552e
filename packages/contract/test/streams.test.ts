/** Agents and models that answer in a stream. */
import { Readable } from 'node:stream';
import { MockLanguageModelV3, simulateReadableStream } from 'ai/test';
import { generateText, jsonSchema, streamText, tool, wrapLanguageModel } from 'ai';
import { describe, expect, it } from 'vitest';
import { prepare } from '../src/evaluate/prepare.js';
import type { ContractReport } from '../src/report/report.js';
import { enforceWith } from '../src/session/enforce.js';
import type { EnforceOptions } from '../src/session/enforce.js';
import { ContractHaltError, ContractPreconditionError, ContractViolationError } from '../src/session/errors.js';
import { middlewareWith } from '../src/session/middleware.js';
import { contract } from './loading.js';
import { IDENTITY, fail, judging, scriptedJudge } from './running.js';

const SECRET = "assert:\n  - {name: card, type: pattern, description: d, must_not_match: 'secret-\\d{3}'}\n";
const FILLER = 'a piece that is longer than what is held back';
const CUT = ['so far all is well; ', FILLER, 'secr', 'et-1', '23', ' and more'];

function portsFor(reports: ContractReport[]) {
  return {
    now: () => 0,
    identity: () => IDENTITY,
    audit: async (report: ContractReport) => void reports.push(report),
    alert: async () => {},
  };
}

async function enforced<Given extends readonly unknown[], Result>(
  clauses: string,
  agent: (...given: Given) => Result | PromiseLike<Result>,
  options: EnforceOptions<Given, Result> = {},
) {
  const reports: ContractReport[] = [];
  const prepared = await prepare(await contract(clauses), { judging: judging(scriptedJudge([fail])) });
  return { held: enforceWith(prepared, agent, { options, ports: portsFor(reports) }), reports };
}

async function* said(pieces: readonly string[]): AsyncGenerator<string> {
  yield* pieces;
}

async function read(stream: AsyncIterable<unknown>): Promise<{ readonly pieces: unknown[]; readonly error: unknown }> {
  const pieces: unknown[] = [];
  try {
    for await (const piece of stream) pieces.push(piece);
    return { pieces, error: null };
  } catch (error) {
    return { pieces, error };
  }
}

describe('[C-12] enforce of an agent that answers in a stream', () => {
  it('[C-12] an async generator is judged by what it says, and can be read at once or after waiting', async () => {
    const { held, reports } = await enforced('must_not: [contain "bad"]\n', (pieces: readonly string[]) => said(pieces));
    expect(await read(held(['all ', 'is ', 'well']))).toEqual({ pieces: ['all ', 'is ', 'well'], error: null });
    expect(await read(await held(['fine']))).toEqual({ pieces: ['fine'], error: null });
    expect(reports).toMatchObject([{ outcome: 'pass' }, { outcome: 'pass' }]);
    const { pieces, error } = await read(held(['this is quite ', 'b', 'ad']));
    expect(error).toBeInstanceOf(ContractViolationError);
    expect(pieces.join('')).not.toContain('b');
    expect(reports.at(-1)?.outcome).toBe('violation');
  });

  it.each([
    ['an async generator', () => said(CUT)],
    ['a promise of one', async () => said(CUT)],
    ['a ReadableStream', () => ReadableStream.from(CUT)],
    ['a Readable', () => Readable.from(CUT)],
    ['bytes', () => ReadableStream.from(CUT.map((text) => new TextEncoder().encode(text)))],
    ['parts with a text', () => ReadableStream.from(CUT.map((text) => ({ text })))],
  ])('[C-12] %s ends before a piece of the match is delivered', async (_, agent: () => unknown) => {
    const { held, reports } = await enforced(SECRET, agent);
    const stream = await held();
    const kind = Object.getPrototypeOf(await agent()).constructor;
    expect(stream).toBeInstanceOf(kind === Readable || kind === ReadableStream ? kind : Object);
    const { pieces, error } = await read(stream as AsyncIterable<unknown>);
    expect(pieces).toHaveLength(1);
    expect(error).toBeInstanceOf(ContractViolationError);
    expect(reports).toMatchObject([{ violations: [{ clause_name: 'card' }] }]);
  });

  it('[C-12] what a stream delivers is unaltered, piece by piece, and its hash is of all bytes', async () => {
    const bytes = [new Uint8Array([0x61, 0xff]), new Uint8Array([0xc3]), new Uint8Array([0xa9])];
    const { held, reports } = await enforced(SECRET, () => ReadableStream.from(bytes));
    const { pieces } = await read(await held());
    expect(pieces.every((piece, index) => piece === bytes[index])).toBe(true);
    const whole = await enforced(SECRET, () => Buffer.concat(bytes));
    await whole.held();
    expect(reports[0]?.outputHash).toBe(whole.reports[0]?.outputHash);
  });

  it.each([
    ['a judge', 'must: [{text: be kind, judge: llm}]\n'],
    ['a schema', 'assert: [{name: s, type: schema, description: d, schema: {type: object}}]\n'],
    ['a length', 'ensures: [output has at most 2 words]\n'],
    ['a clause nobody can evaluate, when that fails,', 'must: [be good]\n'],
  ])('[C-9 C-12] what only %s can tell of the whole lets nothing out before', async (_, clauses) => {
    const { held } = await enforced(clauses, () => said(['one ', 'two ', 'three']), { unevaluated: 'fail' });
    const { pieces, error } = await read(held());
    expect([pieces, error instanceof ContractViolationError]).toEqual([[], true]);
  });

  it('[C-12] goes out as it comes when nothing forbidden can begin in it', async () => {
    let pulled = 0;
    async function* slow(): AsyncGenerator<string> {
      for (const piece of ['a long beginning of the text, ', 'its middle part, ', 'its end.']) {
        pulled += 1;
        yield piece;
      }
    }
    const clauses = 'must_not:\n  - contain any of "zz", "yy"\n  - "match /q{2}/"\n  - contain "no." ignoring case\n';
    const { held } = await enforced(clauses, () => slow());
    const pieces = held()[Symbol.asyncIterator]();
    expect((await pieces.next()).value).toBe('a long beginning of the text, ');
    expect(pulled).toBeLessThan(3);
    await pieces.return?.();
  });

  it.each([
    ['contain "a+b"', 'xx a+', 'b'],
    ['contain any of "zz", "yy"', 'so y', 'y'],
    ['contain "taxi" ignoring case', 'by TA', 'X', '\u0130 to town'],
    ['contain "kiss" ignoring case', 'a \u212a', 'ISS'],
    ['match /q{2}/i', 'q', 'Q'],
  ])('[C-12] "%s" is a forbidden pattern too', async (clause, ...cut) => {
    const { held } = await enforced(`must_not: ['${clause}']\n`, () => said(['harmless', FILLER, ...cut, FILLER]));
    const { pieces, error } = await read(held());
    expect(pieces.filter((piece) => piece !== FILLER)).toEqual(['harmless']);
    expect(error).toBeInstanceOf(ContractViolationError);
  });

  it('[C-12] what only looks like a forbidden text passes', async () => {
    const near = ['ki\u017f\u017f', ' \u0130stanbul ', 'a.b', 'TA', 'XE'];
    const { held } = await enforced('must_not: [contain any of "kiss" or "istanbul" or "axb" or "taxi" ignoring case]\n', () => said(near));
    expect(await read(held())).toEqual({ pieces: near, error: null });
  });

  it('[C-10 C-12] a reader who stops early, and a stream that fails, leave an entry', async () => {
    const left = await enforced(SECRET, () => said(['a long and harmless beginning', 'b', 'c']));
    for await (const piece of left.held()) {
      expect(piece).toContain('harmless');
      break;
    }
    expect(left.reports).toHaveLength(1);
    const failing = await enforced(SECRET, async function* () {
      yield 'x';
      throw new Error('mine');
    });
    expect(String((await read(failing.held())).error)).toBe('Error: mine');
    expect(failing.reports).toHaveLength(1);
  });

  it('[C-3 C-12] a failed precondition: nothing is read', async () => {
    const { held } = await enforced('requires: [input is non-empty]\n', (_: string) => said(['x']));
    expect((await read(held(''))).error).toBeInstanceOf(ContractPreconditionError);
  });
});

describe('[C-12] enforce', () => {
  it('[C-12] keeps what the agent is called on', async () => {
    const bot = {
      name: 'bot',
      async greet(this: { readonly name: string }, who: string) {
        return `${this.name} greets ${who}`;
      },
    };
    const { held } = await enforced(SECRET, bot.greet);
    expect(await Reflect.apply(held, bot, ['you'])).toBe('bot greets you');
  });

  it.each([
    ['an object that shows nothing', () => new (class Hidden {})()],
    ['a generator that nobody reads', () => [][Symbol.iterator]()],
    ['a text that is not there yet', () => ({ text: Promise.resolve('bad') })],
  ])('[C-12] %s is no empty output: it is withheld, and says what to do', async (_, agent: () => unknown) => {
    const { held, reports } = await enforced('must_not: [contain "bad"]\n', agent);
    await expect(held()).rejects.toThrow('outputOf');
    expect(reports).toHaveLength(1);
    const told = await enforced('must_not: [contain "bad"]\n', agent, { outputOf: () => 'bad' });
    await expect(told.held()).rejects.toThrow(ContractViolationError);
  });
});

describe('[C-12] the middleware of the AI SDK', () => {
  const usage = { inputTokens: { total: 3, noCache: 3, cacheRead: 0, cacheWrite: 0 }, outputTokens: { total: 5, text: 5, reasoning: 0 } };
  const finishReason = { unified: 'stop' as const, raw: 'stop' };
  type Chunk = Parameters<typeof simulateReadableStream>[0]['chunks'][number];

  async function wrapped(clauses: string, chunks: readonly Chunk[], undo?: () => void) {
    const reports: ContractReport[] = [];
    const model = new MockLanguageModelV3({
      doGenerate: async () => ({ content: [{ type: 'text', text: 'bad' }], finishReason, usage, warnings: [] }),
      doStream: async () => ({
        stream: simulateReadableStream({ chunks: [...chunks, { type: 'finish', finishReason, usage }] as never[] }),
      }),
    });
    const options = undo === undefined ? {} : { undo };
    const middleware = middlewareWith(await prepare(await contract(clauses)), { options, ports: portsFor(reports) });
    return { model: wrapLanguageModel({ model, middleware }), asked: () => model.doGenerateCalls.length, reports };
  }

  const text = (id: string, ...pieces: readonly string[]): Chunk[] => [
    { type: 'text-start', id },
    ...pieces.map((delta) => ({ type: 'text-delta', id, delta })),
    { type: 'text-end', id },
  ];

  it('[C-12] a match that is split over two texts is not delivered either', async () => {
    const { model } = await wrapped(SECRET, [...text('a', 'a long and harmless beginning, sec'), ...text('b', 'ret-', '123')]);
    const { pieces, error } = await read(streamText({ model, prompt: 'hi', onError: () => {} }).textStream);
    expect([pieces, error instanceof ContractViolationError]).toEqual([[], true]);
  });

  it('[C-9 C-12] a tool call that a contract forbids is never carried out', async () => {
    let carriedOut = 0;
    const tools = {
      rm: tool({ inputSchema: jsonSchema({ type: 'object' }), execute: async () => ++carriedOut }),
    };
    const call = { type: 'tool-call', toolCallId: 'c', toolName: 'rm', input: '{}' };
    const { model, reports } = await wrapped('must_not: [call tool rm]\n', [...text('a', 'I do it.'), call]);
    await streamText({ model, prompt: 'hi', tools, onError: () => {} }).consumeStream();
    expect([carriedOut, reports.map(({ outcome }) => outcome)]).toEqual([0, ['violation']]);
    const allowed = await wrapped('must_not: [call tool other]\n', [...text('a', 'I do it.'), call]);
    await streamText({ model: allowed.model, prompt: 'hi', tools, onError: () => {} }).consumeStream();
    expect(carriedOut).toBe(1);
  });

  it('[C-9] after halt_and_alert the model is asked nothing more; rollback calls the undo', async () => {
    const halted = await wrapped('must_not: [contain "bad"]\non_violation: {default: halt_and_alert}\n', []);
    const ask = (model: typeof halted.model) => generateText({ model, prompt: 'hi', maxRetries: 0 });
    await expect(ask(halted.model)).rejects.toThrow(ContractHaltError);
    await expect(ask(halted.model)).rejects.toThrow('does not run again');
    expect(halted.asked()).toBe(1);
    let undone = 0;
    const back = await wrapped('must_not: [contain "bad"]\non_violation: {default: rollback}\n', [], () => void undone++);
    await expect(ask(back.model)).rejects.toThrow(ContractViolationError);
    expect([undone, back.reports[0]?.violations[0]?.action_taken]).toEqual([1, 'rollback']);
  });
});
