import type { Inheritable } from '@gated-flow/assembly';
import type { Sourced } from '@gated-flow/record';
import { resolveModel, type ModelWorld, type ResolvedModel } from '../model/resolve.js';
import type { ResolvedOptions } from '../plan.js';
import { climb, DEFAULT_RETRIES, DEFAULT_TIMEOUT, type Ladder } from './ladder.js';

export interface OptionResolver {
  resolve(ladder: Ladder): { readonly options: ResolvedOptions; readonly model: ResolvedModel };
}

/** Resolves ladders; what a name and its rung stand for is worked out once (O-4, O-5). */
export function optionResolver(world: ModelWorld): OptionResolver {
  const known = new Map<string, ResolvedModel>();
  const modelFor = (asked: Sourced<string | null>): ResolvedModel => {
    const key = JSON.stringify([asked.value, asked.from]);
    const model = known.get(key) ?? resolveModel(asked, world);
    known.set(key, model);
    return model;
  };
  return {
    resolve(ladder) {
      const model = modelFor(climb(ladder, (options): string | null | undefined => options.intelligence, null));
      return { model, options: { ...model.options, ...ownOptions(ladder) } };
    },
  };
}

function ownOptions(ladder: Ladder): Pick<ResolvedOptions, 'timeout' | 'retries' | 'local-context'> {
  const nearest = <T>(read: (options: Inheritable) => T | undefined, fallback: T): Sourced<T> => climb(ladder, read, fallback);
  return {
    timeout: nearest(({ timeout }) => timeout, DEFAULT_TIMEOUT),
    retries: nearest(({ retries }) => retries, DEFAULT_RETRIES),
    'local-context': nearest(({ localContext }) => localContext, 'ignore'),
  };
}
