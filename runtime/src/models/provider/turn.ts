import type { LanguageModelV3CallOptions } from '@ai-sdk/provider';
import type { Clock } from '../../ports/clock.js';
import type { ModelRequest, Turn } from '../../ports/model.js';
import { costOf } from '../prices.js';
import { withAdvice } from './advice.js';
import { gather, textOf, type Gathered } from './answer.js';
import type { Endpoint } from './endpoint.js';
import { faultOf, noAnswer, withSizes, type Failed } from './faults.js';
import { libraryModel } from './library.js';
import { promptOf } from './messages.js';
import { requestSettings } from './settings.js';
import { stallWatch, type StallWatch } from './stall.js';
import { refusingPages, stayingThere, watched, type WebFetch } from './transport.js';

export { fetchThrough } from './transport.js';

export interface Asking {
  readonly endpoint: Endpoint;
  readonly clock: Clock;
  readonly fetch: WebFetch;
}

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
  if (gathered.gathered === 'error') return failed(withAdvice(faultOf(gathered.error, clock), endpoint));
  if (gathered.gathered === 'none') return failed(noAnswer(gathered.ended, gathered.words));
  const { parts, calls, stop, usage } = gathered;
  const costUsd = costOf(usage, endpoint.price);
  return { turn: 'answer', text: textOf(parts), calls, stop, usage, costUsd, native: { provider: endpoint.provider, parts }, ...who };
}

async function attempt(request: ModelRequest, { endpoint, fetch }: Asking, stall: StallWatch): Promise<Gathered> {
  const { baseUrl, wire } = endpoint;
  const model = await libraryModel(endpoint, watched(refusingPages(stayingThere(fetch, baseUrl), baseUrl), stall));
  const { stream } = await model.doStream({
    prompt: promptOf(request, endpoint),
    ...toolsOf(request),
    ...requestSettings(endpoint, request.maxOutputTokens),
    includeRawChunks: true,
    abortSignal: AbortSignal.any([request.signal, stall.signal]),
  });
  return gather(stream, { wire, conclude: stall.conclude });
}

function toolsOf({ tools }: ModelRequest): Pick<LanguageModelV3CallOptions, 'tools' | 'toolChoice'> {
  if (tools.length === 0) return {};
  const offered = tools.map(({ name, description, parameters }) => ({
    type: 'function' as const,
    name,
    description,
    inputSchema: parameters,
  }));
  return { tools: offered, toolChoice: { type: 'auto' } };
}
