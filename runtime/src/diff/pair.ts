/** Which stage of one run answers to which of the other. Pure. */
import type { StageView } from '@gated-flow/record';

export interface Pair<T> {
  readonly a: T | null;
  readonly b: T | null;
}

/** By the whole path and the repeat; what is left over by the names without their numbers, as one that only moved. In the order of the first, then of the second. */
export function pairStages<T extends Pick<StageView, 'stage' | 'repeat'>>(ofA: readonly T[], ofB: readonly T[]): readonly Pair<T>[] {
  const byKey = new Map(ofB.map((stage) => [keyOf(stage), stage]));
  const left = new Set(ofB);
  const exact = new Map<T, T>();
  for (const a of ofA) {
    const b = byKey.get(keyOf(a));
    if (b === undefined) continue;
    exact.set(a, b);
    left.delete(b);
  }
  const byName = new Map([...left].map((stage) => [nameKey(stage), stage]));
  const pairs = ofA.map((a): Pair<T> => {
    const b = exact.get(a) ?? byName.get(nameKey(a)) ?? null;
    if (b !== null && exact.get(a) === undefined) byName.delete(nameKey(a));
    if (b !== null) left.delete(b);
    return { a, b };
  });
  return [...pairs, ...[...left].map((b): Pair<T> => ({ a: null, b }))];
}

function keyOf({ stage, repeat = 0 }: Pick<StageView, 'stage' | 'repeat'>): string {
  return `${stage}\0${repeat}`;
}

function nameKey({ stage, repeat = 0 }: Pick<StageView, 'stage' | 'repeat'>): string {
  return `${stage.replaceAll(/(^|\/)\d+-/g, '$1')}\0${repeat}`;
}
