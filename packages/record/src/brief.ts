import type { RoundView, StageEnding, StageView } from './run-view.js';

const NONE: readonly never[] = [];

/**
 * What a list of many stages tells of one: how it went, and what failed. Left out are what it received and was asked, its decisions,
 * what passed, and the hashes of its files (empty). For `createRunFold`.
 */
export function briefly(stage: StageView): StageView {
  const { rounds, hooks, drift, flags, ending } = stage;
  return {
    ...stage,
    received: NONE,
    prompt: undefined,
    rounds: rounds.map(briefRound),
    hooks: orNone(hooks.filter(({ passed }) => !passed)),
    drift: orNone(drift),
    decisions: NONE,
    contracts: undefined,
    flags: orNone(flags),
    ending: ending === null ? null : briefEnding(ending),
  };
}

/** An empty list is one and the same for all stages. */
function orNone<T>(list: readonly T[]): readonly T[] {
  return list.length === 0 ? NONE : list;
}

function briefRound(round: RoundView): RoundView {
  return { ...round, checks: orNone(round.checks.filter(({ passed }) => !passed)) };
}

/** Field by field: an object that is spread, or the rest of one, gets a shape of its own, which is larger than the object. */
function briefEnding({ exit, cause, reason, failed, output, sealed, judged, attempts }: StageEnding): StageEnding {
  const brief = output === undefined ? undefined : { path: output.path, sha256: '', bytes: output.bytes };
  return { exit, cause, reason, failed, output: brief, sealed, judged, attempts };
}
