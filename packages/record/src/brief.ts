import { basename } from 'node:path/posix';
import type { StageEnding } from './events.js';
import type { Kept } from './fold.js';
import type { RoundView, StageView } from './run-view.js';
import { sharer } from './sharing.js';

const NONE: readonly never[] = [];

/**
 * What a list of many stages tells of one: how it went, and what failed. Left out are what it received and was asked, its decisions,
 * what passed, and of its output all but the file's name. Stages that went the same way share what says so. For `createRunFold`.
 */
export function createBriefly(): Kept {
  const shareRounds = sharer<readonly RoundView[]>();
  const shareEnding = sharer<StageEnding>();
  return (stage: StageView): StageView => {
    const { rounds, hooks, drift, flags, ending } = stage;
    return {
      ...stage,
      received: NONE,
      prompt: undefined,
      rounds: shareRounds(rounds.map(briefRound)),
      hooks: orNone(hooks.filter(({ passed }) => !passed)),
      drift: orNone(drift),
      decisions: NONE,
      contracts: undefined,
      flags: orNone(flags),
      ending: ending === null ? null : shareEnding(briefEnding(ending)),
    };
  };
}

/** An empty list is one and the same for all stages. */
function orNone<T>(list: readonly T[]): readonly T[] {
  return list.length === 0 ? NONE : list;
}

function briefRound(round: RoundView): RoundView {
  return { ...round, checks: orNone(round.checks.filter(({ passed }) => !passed)) };
}

function briefEnding({ exit, cause, reason, failed, output, sealed, judged, attempts }: StageEnding): StageEnding {
  const brief = output === undefined ? undefined : { path: basename(output.path), sha256: '', bytes: 0 };
  return { exit, cause, reason, failed, output: brief, sealed, judged, attempts };
}
