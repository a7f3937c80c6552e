import type { Refusal } from '@gated-flow/assembly';
import type { Invocation } from './invocation.js';
import type { PlanRow } from './plan.js';
import type { PreparePorts, RunLimits } from './prepare.js';
import { commandInvalid } from './refusal.js';

/** A limit on cost needs a price for every model that may be asked (I-5, M-3). */
export function refuseUnknownPrices(
  rows: readonly PlanRow[],
  limits: RunLimits,
  { invocation, ports }: { invocation: Invocation; ports: PreparePorts },
): readonly Refusal[] {
  if (limits.maxCostUsd === undefined || invocation.models !== 'provider') return [];
  const unpriced = new Set<string>();
  for (const { intelligence } of rows) {
    if (intelligence === null || intelligence.price !== undefined) continue;
    if (ports.knownPrice(intelligence.provider, intelligence.model) === null)
      unpriced.add(`${intelligence.provider}/${intelligence.model}`);
  }
  return [...unpriced].map((model) =>
    commandInvalid(
      'request-invalid',
      `A cost limit cannot be kept: no price of ${model} is known. Give its row in the home's config.yaml price: {input: …, output: …}, US dollars per million tokens, or drop the limit.`,
    ),
  );
}
