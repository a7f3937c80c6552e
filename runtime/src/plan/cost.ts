import type { Refusal } from '@gated-flow/assembly';
import type { Environment } from '../models/discovery.js';
import { endpointOf } from '../models/provider/endpoint.js';
import type { PlanRow } from './plan.js';
import type { RunLimits } from './prepare.js';
import { commandInvalid } from './refusal.js';

/** A limit on cost needs a price for every model that may be asked (I-5, M-3). */
export function refuseUnknownPrices(rows: readonly PlanRow[], { maxCostUsd }: RunLimits, env: Environment): readonly Refusal[] {
  if (maxCostUsd === undefined) return [];
  const unpriced = new Set<string>();
  for (const { intelligence } of rows) {
    const asked = intelligence === null ? null : endpointOf(intelligence, env);
    if (asked?.ok && asked.endpoint.price === null) unpriced.add(`${asked.endpoint.provider}/${asked.endpoint.model}`);
  }
  return [...unpriced].map((model) =>
    commandInvalid(
      'request-invalid',
      `A cost limit cannot be kept: no price of ${model} is known. Give its row in the home's config.yaml price: {input: …, output: …}, US dollars per million tokens, or drop the limit.`,
    ),
  );
}
