/** How to read the rounds of a stage: what was sent back and repaired, and what was the end of it. */
import type { CheckView, HookView, RoundView, StageView } from '@gated-flow/record';

/** What one check or hook came to. `sent-back`: it said no, and a later round went on from there. `final`: it is why the stage failed. */
export type Standing = 'passed' | 'sent-back' | 'final';

export interface Judged {
  readonly program: CheckView | HookView;
  /** Null for a hook. */
  readonly round: number | null;
  readonly standing: Standing;
}

/** Everything that judged a stage, in the order it did. */
export function judgedIn(stage: StageView): readonly Judged[] {
  const { rounds, hooks } = stage;
  const hooked = (which: readonly HookView[]): Judged[] =>
    which.map((program) => ({ program, round: null, standing: ofHook(program, stage) }));
  return [
    ...hooked(hooks.filter(({ hook }) => hook === 'before')),
    ...rounds.flatMap((round) =>
      round.checks.map((program) => ({ program, round: round.round, standing: ofCheck(program, round, stage) })),
    ),
    ...hooked(hooks.filter(({ hook }) => hook !== 'before')),
  ];
}

function ofCheck({ passed }: CheckView, round: RoundView, { ending, rounds }: StageView): Standing {
  if (passed) return 'passed';
  const over = ending !== null && ending.cause !== 'success';
  return over && round.round === rounds.at(-1)?.round ? 'final' : 'sent-back';
}

/** What a failure hook says is no verdict: the stage had failed before. */
function ofHook({ passed, hook }: HookView, { ending }: StageView): Standing {
  if (passed) return 'passed';
  return hook !== 'failure' && ending !== null && ending.cause !== 'success' ? 'final' : 'sent-back';
}

/** Whether a stage failed for something that no check and no hook of it said. */
export function failedUnjudged(stage: StageView): boolean {
  const { ending } = stage;
  return ending !== null && ending.cause !== 'success' && judgedIn(stage).every(({ standing }) => standing !== 'final');
}

const WORK: ReadonlySet<string | undefined> = new Set(['refused', 'exhausted', 'rejected', 'blocked']);

/** Whether a cause is about the work; any other is time, a signal or a fault, whatever was judging just then. */
export function isAboutWork(cause: string | undefined): boolean {
  return WORK.has(cause);
}
