import type { FactOf } from './events.js';

/** Makes equal values one value, so that a run of many stages does not keep the same options and tools once for each. */
export interface Sharing {
  readonly options: (value: FactOf<'stage_start'>['options']) => FactOf<'stage_start'>['options'];
  readonly texts: (value: readonly string[]) => readonly string[];
}

export function createSharing(): Sharing {
  return { options: sharer(), texts: sharer() };
}

/** More different values than this are not worth remembering. */
const REMEMBERED = 1000;

export function sharer<T>(): (value: T) => T {
  const known = new Map<string, T>();
  return (value) => {
    const key = JSON.stringify(value);
    const same = known.get(key);
    if (same !== undefined) return same;
    if (known.size < REMEMBERED) known.set(key, value);
    return value;
  };
}
