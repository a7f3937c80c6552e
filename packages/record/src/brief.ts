import type { RoundView, StageEnding, StageView } from './run-view.js';

const NONE: readonly never[] = [];

/**
 * What a list of many stages tells of one: how it went, and what failed. Left out are what it received and was asked, its decisions,
 * what passed, and what vouches for its files. For `createRunFold`.
 */
export function briefly(stage: StageView): StageView {
  const { rounds, hooks, ending } = stage;
  return {
    ...stage,
    received: NONE,
    prompt: undefined,
    rounds: rounds.map(briefRound),
    hooks: hooks.length === 0 ? NONE : hooks.filter(({ passed }) => !passed),
    decisions: NONE,
    ending: ending === null ? null : briefEnding(ending),
  };
}

function briefRound(round: RoundView): RoundView {
  const failed = round.checks.filter(({ passed }) => !passed);
  return { ...round, checks: failed.length === 0 ? NONE : failed };
}

function briefEnding({ session: _, ...ending }: StageEnding): StageEnding {
  return ending;
}
