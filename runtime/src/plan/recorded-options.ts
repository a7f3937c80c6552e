import type { Sourced } from '@gated-flow/record';
import { publicAddress } from '../models/public-address.js';
import type { PlanRow } from './plan.js';

/** A stage's options as its record says them: the resolved ones, and where its model is asked when its row or the environment says so. */
export function recordedOptions({ options, intelligence }: Pick<PlanRow, 'options' | 'intelligence'>): Readonly<Record<string, Sourced>> {
  const { baseUrl, sentTo } = intelligence ?? {};
  const address = baseUrl ?? sentTo;
  if (address === undefined) return { ...options };
  return { ...options, 'base-url': { value: publicAddress(address), from: baseUrl === undefined ? 'environment' : options.provider.from } };
}
