/** Performs the ladder's moves for one pass of a stage. What to do next is decided in decide.ts and nowhere else. */
import type { Stage } from '@gated-flow/assembly';
import type { SealedFile } from '@gated-flow/record';
import type { Check } from '../checks/check.js';
import { checksOf } from '../checks/index.js';
import { hashOutput } from '../checks/output-drift.js';
import { putQuestion } from '../checks/question.js';
import { broken } from '../run/broken.js';
import { seatAgent, toolNames } from './agent.js';
import { attemptFolder, keepCandidate, seal } from './candidate.js';
import { overgrown } from './control.js';
import {
  decide,
  type Ending,
  type Ladder,
  type LoopAnswer,
  type Move,
  OUTSIDE,
  type Selection,
  type StageFact,
  type StageState,
} from './decide.js';
import { stopped } from './ending.js';
import { announce, layOut, type Standpoint, stageScope } from './enter.js';
import { runFailureHook, runHook } from './hooks.js';
import { beginning, type Progress } from './progress.js';
import type { Given, RunScope, StageScope } from './scope.js';
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
  const checks = checksOf(scope);
  const ladder: Ladder = {
    hooks: { before: 'before' in stage.hooks, success: 'success' in stage.hooks, failure: 'failure' in stage.hooks },
    checks: checks.length,
    retries: scope.options.retries.value,
    question: scope.question === undefined ? null : putQuestion(scope.question),
    selects: scope.select !== undefined,
  };
  const progress = beginning();
  announce(scope, at.given, toolNames(scope, progress));

  const entered = await attempted(scope, async () => {
    progress.workspace = await layOut(scope, at.given);
    return { fact: 'entered' };
  });
  let [state, move] = decide(ladder, OUTSIDE, entered);
  while (move.move !== 'settle') {
    const next = move;
    const now = { scope, progress, checks, state };
    const fact = await attempted(scope, () => perform(now, next));
    [state, move] = decide(ladder, state, fact);
  }
  return settle(scope, progress, { ...state, ending: move.ending });
}

interface Performing {
  readonly scope: StageScope;
  readonly progress: Progress;
  readonly checks: readonly Check[];
  readonly state: StageState;
}

async function perform(now: Performing, move: Exclude<Move, { move: 'settle' }>): Promise<StageFact> {
  const { scope, progress } = now;
  const { attempt } = now.state;
  const stop = scope.stop.reason();
  if (stop && move.move !== 'run-failure-hook') return { fact: 'ended', ending: stopped(stop) };
  switch (move.move) {
    case 'run-hook':
      return runHook(scope, move.hook, progress.judged);
    case 'start-agent':
      return startAgent(now);
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
      return sealed.fact;
    }
    case 'run-failure-hook':
      if (!scope.stop.interrupted.aborted) await runFailureHook(scope, move.ending);
      return { fact: 'failure-hook-ran' };
  }
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

async function runCheck({ scope, progress, checks, state }: Performing, index: number): Promise<StageFact> {
  const { attempt, answer, selection } = state;
  const check = checks[index];
  if (!check) throw new Error(`there is no check ${index}`);
  if (index === 0) progress.judged = await hashOutput(scope);
  scope.watch({ activity: 'check', stage: scope.where.stage, attempt, check: check.file ?? check.name });
  const folder = attemptFolder(scope, attempt);
  const round = { scope, attempt, folder, marks: progress.marks, candidate: progress.judged, answer, selection };
  progress.beyondOutput ||= check.name !== 'output' && check.name !== 'question';
  const verdict = await check.run(round);
  const full = await overgrown(scope);
  if (full && verdict.verdict !== 'end') return { fact: 'ended', ending: full };
  switch (verdict.verdict) {
    case 'pass':
      return { fact: 'check-passed' };
    case 'end':
      return { fact: 'ended', ending: verdict.ending };
    case 'fail':
      scope.watch({ activity: 'sent-back', stage: scope.where.stage, attempt, check: check.file ?? check.name, reason: verdict.reason });
      return {
        fact: 'check-failed',
        failed: check.file ?? check.name,
        text: verdict.text,
        reason: verdict.reason,
        capture: verdict.capture,
      };
  }
}

/** Broken machinery is an ending like any other, so that every started stage ends once. */
async function attempted(scope: StageScope, act: () => Promise<StageFact>): Promise<StageFact> {
  try {
    return await act();
  } catch (error) {
    return { fact: 'ended', ending: broken(error, { onActivity: scope.watch }) };
  }
}
