import { jsonSchema, streamText, tool, type ToolSet } from 'ai';
import type { Clock } from '../../ports/clock.js';
import type { ModelRequest, Turn } from '../../ports/model.js';
import { costOf } from '../prices.js';
import { gather, textOf, type Gathered } from './answer.js';
import type { Endpoint } from './endpoint.js';
import { faultOf, noAnswer, withSizes, type Failed } from './faults.js';
import { libraryModel } from './library.js';
import { messagesOf, systemOf } from './messages.js';
import { requestSettings } from './settings.js';
import { stallWatch, type StallWatch } from './stall.js';
import { watched, type WebFetch } from './transport.js';

export { fetchThrough } from './transport.js';

export interface Asking {
  readonly endpoint: Endpoint;
  readonly clock: Clock;
  readonly fetch: WebFetch;
}

/** The library would print its warnings on the terminal. */
globalThis.AI_SDK_LOG_WARNINGS = false;

/** One attempt at one turn (M-1, L-4). Never rejects. */
export async function takeTurn(request: ModelRequest, asking: Asking): Promise<Turn> {
  const { endpoint, clock } = asking;
  const who = { provider: endpoint.provider, model: endpoint.model };
  const stall = stallWatch(clock);
  const failed = (failure: Failed): Turn => ({ turn: 'failed', ...who, ...withSizes(failure, request) });
  const gathered = await attempt(request, asking, stall).catch((error: unknown): Gathered => ({ gathered: 'error', error }));
  stall.end();
  if (request.signal.aborted) return failed({ failure: 'aborted', message: 'The turn was cut short.' });
  if (stall.stalled()) return failed({ failure: 'transient', message: stall.message });
  if (gathered.gathered === 'error') return failed(faultOf(gathered.error, clock));
  if (gathered.gathered === 'none') return failed(noAnswer(gathered.ended, gathered.words));
  const { parts, calls, stop, usage } = gathered;
  const costUsd = costOf(usage, endpoint.price);
  return { turn: 'answer', text: textOf(parts), calls, stop, usage, costUsd, native: { provider: endpoint.provider, parts }, ...who };
}

async function attempt(request: ModelRequest, { endpoint, fetch }: Asking, stall: StallWatch): Promise<Gathered> {
  const model = await libraryModel(endpoint, watched(fetch, stall.beat));
  const { fullStream } = streamText({
    model,
    system: systemOf(request, endpoint),
    messages: messagesOf(request, endpoint),
    tools: toolsOf(request),
    maxRetries: 0,
    ...requestSettings(endpoint),
    abortSignal: AbortSignal.any([request.signal, stall.signal]),
    /** Errors are read from the stream; the default would print them. */
    onError: () => undefined,
  });
  return gather(fullStream);
}

/** Without `execute`: calling tools is the loop's. */
function toolsOf({ tools }: ModelRequest): ToolSet | undefined {
  if (tools.length === 0) return undefined;
  return Object.fromEntries(
    tools.map(({ name, description, parameters }) => [name, tool({ description, inputSchema: jsonSchema(parameters) })]),
  );
}
