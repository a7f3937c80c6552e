/** Performs the ladder's moves for one pass of a stage. What to do next is decided in decide.ts and nowhere else. */
import type { Stage } from '@gated-flow/assembly';
import type { SealedFile } from '@gated-flow/record';
import { checksOf } from '../checks/index.js';
import { putQuestion } from '../checks/question.js';
import { seatAgent, toolNames } from './agent.js';
import { keepCandidate, seal } from './candidate.js';
import { holdStage } from './contracts.js';
import { decide, type Ending, type Ladder, type LoopAnswer, type Move, OUTSIDE, type Selection, type StageFact } from './decide.js';
import { stopped } from './ending.js';
import { announce, layOut, type Standpoint, stageScope } from './enter.js';
import { runFailureHook, runHook } from './hooks.js';
import { beginning } from './progress.js';
import { dropEarlier, leaveForLater, lookForEarlier, noteTrees } from './reuse/earlier.js';
import type { Earlier } from './reuse/reuse.js';
import { attempted, type Performing, runCheck } from './run-check.js';
import type { Given, RunScope } from './scope.js';
import { settle } from './settle.js';

export interface StageResult {
  readonly ending: Ending;
  /** The sealed output; null unless the ending is success, and for a selection. */
  readonly output: SealedFile | null;
  /** What was answered to the question, when there was one and the ending is success. */
  readonly answer?: LoopAnswer;
  /** What was selected, when there was something to select and the ending is success. */
  readonly selection?: Selection;
}

/** Runs one stage to its end. Rejects only when its end could not be recorded. */
export async function runStage(run: RunScope, stage: Stage, at: { readonly given: readonly Given[] } & Standpoint): Promise<StageResult> {
  const scope = stageScope(run, stage, at);
  const progress = beginning();
  progress.entry = (await scope.governance?.enter(scope, at.given)) ?? null;
  const checks = checksOf({ ...scope, claims: progress.entry?.judgesOutput ?? false });
  const ladder: Ladder = {
    hooks: { before: 'before' in stage.hooks, success: 'success' in stage.hooks, failure: 'failure' in stage.hooks },
    checks: checks.length,
    retries: scope.options.retries.value,
    question: scope.question === undefined ? null : putQuestion(scope.question),
    selects: scope.select !== undefined,
    reuses: scope.reuse !== null,
  };
  const leaveTree = scope.contracts?.atWork(scope.place);
  announce(scope, at.given, toolNames(scope, progress));
  progress.entry?.announce();

  const entered = await attempted(scope, async () => {
    progress.workspace = await layOut(scope, at.given);
    progress.entered = await noteTrees(scope);
    return { fact: 'entered' };
  });
  let [state, move] = decide(ladder, OUTSIDE, entered);
  while (move.move !== 'settle') {
    const next = move;
    const now = { scope, progress, checks, state };
    const fact = await attempted(scope, () => perform(now, next));
    [state, move] = decide(ladder, state, fact);
  }
  const unaudited = await attempted(scope, async () => {
    const ending = await progress.contracts?.leave();
    return ending ? { fact: 'ended', ending } : { fact: 'entered' };
  });
  const last = unaudited.fact === 'ended' ? unaudited.ending : move.ending;
  const result = await settle(scope, progress, { ...state, ending: last });
  leaveTree?.();
  await leaveForLater({ scope, progress }, result);
  return result;
}

async function perform(now: Performing, move: Exclude<Move, { move: 'settle' }>): Promise<StageFact> {
  const { scope, progress } = now;
  const { attempt } = now.state;
  const stop = scope.stop.reason();
  if (stop && move.move !== 'run-failure-hook') return { fact: 'ended', ending: stopped(stop) };
  switch (move.move) {
    case 'run-hook':
      return runHook(scope, move.hook, progress.judged);
    case 'look-for-earlier':
      return (await barred(now)) ?? lookForEarlier(now);
    case 'drop-earlier':
      return dropEarlier(now);
    case 'start-agent':
      return (await barred(now)) ?? startAgent(now);
    case 'run-check':
      return runCheck(now, move.index);
    case 'send-back':
      progress.kept = await keepCandidate(scope, attempt - 1);
      return work(now, move.text, 'send-back');
    case 'ask':
      return work(now, move.text, 'question');
    case 'seal': {
      const sealed = await seal(scope, attempt, progress.judged ?? '');
      progress.kept = sealed.kept;
      if (progress.earlier && sealed.fact.fact === 'sealed') reused(now, progress.earlier);
      return sealed.fact;
    }
    case 'run-failure-hook':
      if (!scope.stop.interrupted.aborted) await runFailureHook(scope, move.ending);
      return { fact: 'failure-hook-ran' };
  }
}

/** What is asked of the input comes before any work, an earlier run's too (C-13). */
async function barred(now: Performing): Promise<StageFact | null> {
  const ending = await holdStage(now);
  return ending && { fact: 'ended', ending };
}

/** Before the end of the stage, which nothing of it may follow. */
function reused({ scope, progress }: Performing, { run }: Earlier): void {
  if (progress.kept) scope.recorder.append({ event: 'stage_reused', ...scope.where, from: run, output: progress.kept });
}

async function startAgent(now: Performing): Promise<StageFact> {
  const { agent, session, opening } = await seatAgent(now.scope, now.progress);
  now.progress.agent = agent;
  now.progress.session = session;
  return work(now, opening, 'start');
}

/** Lets the agent work until it stops; what its commands left running ends before anything is judged (L-6). */
async function work({ scope, progress, state }: Performing, text: string, why: 'start' | 'send-back' | 'question'): Promise<StageFact> {
  if (!progress.agent) throw new Error('no agent has been started');
  progress.asked = state.asked;
  progress.attempt = state.attempt;
  const end = await progress.agent.work(text, why, state.attempt);
  progress.asked = false;
  if (progress.commands) await scope.ports.programs.sweep(scope.owner, scope.nest);
  progress.commands = false;
  switch (end.end) {
    case 'stopped':
      return { fact: 'agent-stopped' };
    case 'answered':
      return { fact: 'answered', answer: end.answer };
    case 'selected':
      return { fact: 'selected', selection: end.selection };
    case 'left':
      return { fact: 'ended', ending: end.ending };
  }
}
