import { KNOWN_KEYS } from '../../models/known.js';
import type { HomeConfig, Intelligence, PlanRow } from '../plan.js';

/** The home's row for the judge of contracts. */
const JUDGE = 'judge';

/**
 * Who may judge, best first: the row `judge`, else the small model of every provider that the run's agents use, reached the way the
 * agents reach it (M-4).
 */
export function judgesOf({ intelligences }: Pick<HomeConfig, 'intelligences'>, rows: readonly PlanRow[]): readonly Intelligence[] {
  const own = Object.hasOwn(intelligences, JUDGE) ? intelligences[JUDGE] : undefined;
  if (own !== undefined) return [own];
  const judges = new Map<string, Intelligence>();
  for (const { intelligence } of rows) {
    if (intelligence === null || judges.has(intelligence.provider)) continue;
    const small = KNOWN_KEYS.find(({ provider }) => provider === intelligence.provider)?.small;
    if (small === undefined) continue;
    const { provider, baseUrl, apiKeyEnv } = intelligence;
    judges.set(provider, {
      ...{ provider, model: small },
      ...(baseUrl === undefined ? {} : { baseUrl }),
      ...(apiKeyEnv === undefined ? {} : { apiKeyEnv }),
    });
  }
  return [...judges.values()];
}
