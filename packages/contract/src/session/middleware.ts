import type { FindingOptions } from '../evaluate/findings.js';
import { isFields, listOf } from '../read/values.js';
import type { PreparedContract } from '../evaluate/prepare.js';
import type { ContractReport } from '../report/report.js';
import type { EnforcePorts } from './enforce.js';
import { halting } from './errors.js';
import { heldBack } from './held-stream.js';
import type { ContractSession } from './session.js';
import { openSession } from './session.js';
import { settle, undoing } from './settle.js';

/** What of the Vercel AI SDK's model interface (version 3) is looked at. Everything else passes by untouched. */
export interface Generated {
  readonly content: readonly { readonly type: string }[];
  readonly usage?: Usage;
}

interface Usage {
  readonly inputTokens?: { readonly total?: number | undefined } | undefined;
  readonly outputTokens?: { readonly total?: number | undefined } | undefined;
}

interface Call {
  readonly prompt: unknown;
}

export interface MiddlewareOptions extends FindingOptions {
  /** The model as `provider/model`, which may not judge itself. */
  readonly agentModel?: string;
  readonly onReport?: (report: ContractReport) => void;
  /** Undoes what the run did (`rollback`); rejects when it cannot. What it answers does not count. */
  readonly undo?: () => void | Promise<void>;
}

/** Fits `wrapLanguageModel({model, middleware})` of the package `ai`, version 6. */
export interface ContractMiddleware {
  readonly specificationVersion: 'v3';
  wrapGenerate<R extends Generated>(call: { doGenerate(): PromiseLike<R>; params: Call }): Promise<R>;
  wrapStream<P extends { readonly type: string }, R extends { stream: ReadableStream<P> }>(call: {
    doStream(): PromiseLike<R>;
    params: Call;
  }): Promise<R>;
}

/**
 * Holds a model of the AI SDK to a contract: each request is a run (C-12). A request that fails `requires` is never sent; a
 * violation that withholds throws, or errors the stream, with the report. A stream is held back as far as `heldBack` says, and its
 * tool calls until everything was judged. After a `halt_and_alert` the model is asked nothing more.
 */
export function middlewareWith(
  prepared: PreparedContract,
  { options, ports }: { readonly options: MiddlewareOptions; readonly ports: EnforcePorts },
): ContractMiddleware {
  const halt = halting();
  return {
    specificationVersion: 'v3',
    async wrapGenerate({ doGenerate, params }) {
      const session = await begin(params);
      const result = await answered(session, doGenerate);
      tell(session, result);
      await conclude(await session.output(textIn(result.content)), false);
      return result;
    },
    async wrapStream({ doStream, params }) {
      const session = await begin(params);
      const result = await answered(session, doStream);
      return { ...result, stream: ReadableStream.from(guarded(session, result.stream)) };
    },
  };

  async function begin({ prompt }: Call): Promise<ContractSession> {
    halt.check();
    const began = ports.now();
    const identity = ports.identity();
    const session = openSession(prepared, { ...options, identity, tells: ['turns', 'calls'], elapsed: () => ports.now() - began });
    const before = await session.input(newestText(prompt));
    if (!before.allowed) await conclude(before.report, true);
    session.step({ kind: 'turn' });
    return session;
  }

  async function answered<R>(session: ContractSession, ask: () => PromiseLike<R>): Promise<R> {
    try {
      return await ask();
    } catch (error) {
      await conclude(await session.output(null), false);
      throw error;
    }
  }

  async function conclude(found: ContractReport, isBefore: boolean): Promise<void> {
    const undo = undoing(options.undo);
    const { report, error } = await settle(found, { ...ports, ...undo }, isBefore);
    halt.note(report);
    options.onReport?.(report);
    if (error !== null) throw error;
  }

  function guarded<P extends { readonly type: string }>(session: ContractSession, source: ReadableStream<P>): AsyncGenerator<P> {
    return heldBack(source, {
      prepared,
      ...(options.unevaluated === undefined ? {} : { unevaluated: options.unevaluated }),
      waits: ({ type }) => type === 'tool-call',
      textOf(part) {
        if (part.type === 'tool-call') tell(session, { content: [part] });
        if (part.type === 'finish') tell(session, { content: [], ...('usage' in part ? { usage: usageIn(part.usage) } : {}) });
        return part.type === 'text-delta' && 'delta' in part && typeof part.delta === 'string' ? part.delta : '';
      },
      judge: async (text) => conclude(await session.output(text), false),
    });
  }
}

function textIn(content: Generated['content']): string {
  return content.map((part) => (part.type === 'text' && 'text' in part && typeof part.text === 'string' ? part.text : '')).join('');
}

/** Tool calls count as they were asked for: the SDK runs them, or does not. */
function tell(session: ContractSession, { content, usage }: Generated): void {
  for (const part of content) {
    if (part.type === 'tool-call' && 'toolName' in part && typeof part.toolName === 'string')
      session.step({ kind: 'call', name: part.toolName });
  }
  if (usage)
    session.step({ kind: 'answer', outputTokens: usage.outputTokens?.total ?? null, inputTokens: usage.inputTokens?.total ?? null });
}

function usageIn(value: unknown): Usage {
  const side = (key: string): { readonly total?: number } => {
    const found = isFields(value) && isFields(value[key]) ? value[key]['total'] : undefined;
    return typeof found === 'number' ? { total: found } : {};
  };
  return { inputTokens: side('inputTokens'), outputTokens: side('outputTokens') };
}

/** The text of the newest message that a user wrote. */
function newestText(prompt: unknown): string {
  const messages = listOf(prompt).filter(isFields);
  const newest = messages.findLast(({ role }) => role === 'user');
  if (typeof newest?.['content'] === 'string') return newest['content'];
  return listOf(newest?.['content'])
    .filter(isFields)
    .map(({ text }) => (typeof text === 'string' ? text : ''))
    .join('');
}
