import type { Refusal } from '@gated-flow/assembly';
import type { Intelligence } from '../../plan/plan.js';
import type { Clock } from '../../ports/clock.js';
import type { Model, ModelRequest, ModelSettings, Turn } from '../../ports/model.js';
import type { Environment } from '../discovery.js';
import { endpointOf } from './endpoint.js';
import type { WebFetch } from './transport.js';

export type OpenedModel = { readonly ok: true; readonly model: Model } | { readonly ok: false; readonly refusals: readonly Refusal[] };

/**
 * A row of `intelligences:` as a model that can be asked (M-1), or `credential-missing` or `model-unresolved` (O-5).
 * Nothing is asked and no provider's module is loaded before the first turn. A model holds no state: runs can share it.
 */
export async function openModel(
  row: Intelligence,
  { env, clock }: { readonly env: Environment; readonly clock: Clock },
): Promise<OpenedModel> {
  const result = endpointOf(row, env);
  if (!result.ok) return result;
  const { endpoint } = result;
  const settings: ModelSettings = {
    provider: endpoint.provider,
    model: endpoint.model,
    ...(endpoint.reasoning === undefined ? {} : { reasoning: endpoint.reasoning }),
    ...(endpoint.maxOutputTokens === undefined ? {} : { max_output_tokens: endpoint.maxOutputTokens }),
  };
  let transport: Promise<WebFetch> | undefined;
  async function next(request: ModelRequest): Promise<Turn> {
    const { takeTurn, fetchThrough } = await import('./turn.js');
    transport ??= fetchThrough(env);
    return takeTurn(request, { endpoint, clock, fetch: await transport });
  }
  return { ok: true, model: { source: 'provider', open: () => ({ settings, next }) } };
}
