import type { Sourced } from '@gated-flow/record';
import { publicAddress } from '../models/public-address.js';
import type { PlanRow } from './plan.js';

/** A stage's options as its record says them: the resolved ones, and where its model is asked when a row of the home says so. */
export function recordedOptions({ options, intelligence }: Pick<PlanRow, 'options' | 'intelligence'>): Readonly<Record<string, Sourced>> {
  const { baseUrl } = intelligence ?? {};
  return {
    ...options,
    ...(baseUrl === undefined ? {} : { 'base-url': { value: publicAddress(baseUrl), from: options.provider.from } }),
  };
}
