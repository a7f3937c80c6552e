/**
 * The ladder of a stage: what happened goes in, what to do next comes out. Pure; the whole policy of rounds, send-backs, a loop's
 * question, a choice, reuse, hooks and endings is this file (K-1, K-2, K-8, K-12, G-3, G-4, G-12, E-1).
 */
import type { Cause } from '@gated-flow/record';

/** What the stage has; fixed while it runs. */
export interface Ladder {
  readonly hooks: { readonly before: boolean; readonly success: boolean; readonly failure: boolean };
  /** How many checks stand in the ordered list; at least one. Where there is a question, the last of them looks for its answer. */
  readonly checks: number;
  /** Send-backs allowed, of every kind together. */
  readonly retries: number;
  /** Put to the agent once every check before the last has passed (G-3). */
  readonly question: string | null;
  /** What the agent leaves is a selection: nothing is sealed (G-4). */
  readonly selects: boolean;
  /** The work of an earlier run may stand in for the agent's (G-12). */
  readonly reuses: boolean;
}

export type StageFact =
  | { readonly fact: 'entered' }
  | { readonly fact: 'hook-passed' }
  /** The work of an earlier run stands in place, to be judged as if the agent had just stopped (G-12). */
  | { readonly fact: 'found-earlier' }
  /** There is none, or it is gone again. */
  | { readonly fact: 'nothing-earlier' }
  /** A `before` or `success` that exited non-zero. */
  | { readonly fact: 'hook-refused'; readonly hook: 'before' | 'success'; readonly reason: string }
  | { readonly fact: 'agent-stopped' }
  /** The agent's work ended with its answer to the question (L-11). */
  | { readonly fact: 'answered'; readonly answer: LoopAnswer }
  /** The agent's work ended with its selection (L-11). */
  | { readonly fact: 'selected'; readonly selection: Selection }
  | { readonly fact: 'check-passed' }
  | CheckFailed
  | { readonly fact: 'sealed' }
  /** Anything that ends the stage whatever stood next. */
  | { readonly fact: 'ended'; readonly ending: Ending }
  | { readonly fact: 'failure-hook-ran' };

export interface CheckFailed {
  readonly fact: 'check-failed';
  /** The check's file, or its name. */
  readonly failed: string;
  /** What the agent reads next. */
  readonly text: string;
  /** The terminal view of the same. */
  readonly reason: string;
  /** Absolute path of the captured text. */
  readonly capture: string;
  /** The cause when no retry is left; `exhausted` unless it says otherwise (C-13). */
  readonly spent?: 'rejected';
}

export type Move =
  | { readonly move: 'run-hook'; readonly hook: 'before' | 'success' }
  | { readonly move: 'look-for-earlier' }
  | { readonly move: 'drop-earlier' }
  | { readonly move: 'start-agent' }
  | { readonly move: 'run-check'; readonly index: number }
  | { readonly move: 'send-back'; readonly text: string }
  | { readonly move: 'ask'; readonly text: string }
  | { readonly move: 'seal' }
  | { readonly move: 'run-failure-hook'; readonly ending: Ending }
  | { readonly move: 'settle'; readonly ending: Ending };

/** What an agent answers to a loop's question (G-3). */
export interface LoopAnswer {
  readonly answer: 'continue' | 'stop';
  readonly reason: string;
}

/** What an agent selects (G-4). */
export interface Selection {
  readonly name: string;
  readonly reason: string;
}

/** How a stage, a flow and a run end (E-1). */
export interface Ending {
  readonly cause: Cause;
  readonly exit: number;
  readonly reason?: string;
  /** `before`, `success`, or a check's file or name. */
  readonly failed?: string;
  /** Absolute path of captured text, for `$REASON`. */
  readonly capture?: string;
}

export interface StageState {
  /** The attempt under way, from 1; 0 while the work of an earlier run is judged. */
  readonly attempt: number;
  /** The check under way, while checks run. */
  readonly check: number;
  readonly place: 'outside' | 'before' | 'earlier' | 'agent' | 'checks' | 'question' | 'success' | 'seal' | 'leaving';
  /** The question was the last thing that was put to the agent: it may be answered. */
  readonly asked: boolean;
  /** The answer that counts if every check passes. */
  readonly answer: LoopAnswer | null;
  readonly selection: Selection | null;
  /** Set once; nothing after it can replace it. */
  readonly ending: Ending | null;
}

export const OUTSIDE: StageState = {
  attempt: 1,
  check: 0,
  place: 'outside',
  asked: false,
  answer: null,
  selection: null,
  ending: null,
};

/** One step of the ladder. A fact that cannot happen where the stage stands is a defect of ours and throws. */
export function decide(ladder: Ladder, state: StageState, fact: StageFact): readonly [StageState, Move] {
  switch (fact.fact) {
    case 'entered':
      expect(state, 'outside');
      return ladder.hooks.before
        ? [
            { ...state, place: 'before' },
            { move: 'run-hook', hook: 'before' },
          ]
        : toWork(ladder, state);
    case 'hook-passed':
      expect(state, 'before', 'success');
      return state.place === 'before' ? toWork(ladder, state) : [{ ...state, place: 'seal' }, { move: 'seal' }];
    case 'hook-refused':
      expect(state, 'before', 'success');
      return leave(ladder, state, { cause: 'rejected', exit: 1, failed: fact.hook, reason: fact.reason });
    case 'found-earlier':
      expect(state, 'earlier');
      return judge(ladder, { ...state, attempt: 0 });
    case 'nothing-earlier':
      expect(state, 'earlier');
      return startAgent({ ...state, attempt: 1 });
    case 'agent-stopped':
      expect(state, 'agent', 'question');
      return judge(ladder, state);
    case 'answered':
      expect(state, 'agent', 'question');
      if (!state.asked) throw new Error('an answer without a question');
      return judge(ladder, { ...state, answer: fact.answer });
    case 'selected':
      expect(state, 'agent');
      if (!ladder.selects) throw new Error('a selection where there is nothing to select');
      return judge(ladder, { ...state, selection: fact.selection });
    case 'check-passed':
      expect(state, 'checks');
      return afterCheck(ladder, state);
    case 'check-failed':
      expect(state, 'checks');
      return sendBack(ladder, state, fact);
    case 'sealed':
      expect(state, 'seal');
      return leave(ladder, state, { cause: 'success', exit: 0 });
    case 'ended':
      return leave(ladder, state, fact.ending);
    case 'failure-hook-ran':
      expect(state, 'leaving');
      return [state, { move: 'settle', ending: state.ending ?? unreachable(state, fact.fact) }];
  }
}

function toWork(ladder: Ladder, state: StageState): readonly [StageState, Move] {
  return ladder.reuses ? [{ ...state, place: 'earlier' }, { move: 'look-for-earlier' }] : startAgent(state);
}

function startAgent(state: StageState): readonly [StageState, Move] {
  return [{ ...state, place: 'agent' }, { move: 'start-agent' }];
}

/** Checks run from the top; after the question only the last is left, which looks for the answer. */
function judge(ladder: Ladder, state: StageState): readonly [StageState, Move] {
  return runCheck(state, state.place === 'question' ? ladder.checks - 1 : 0);
}

function afterCheck(ladder: Ladder, state: StageState): readonly [StageState, Move] {
  const index = state.check + 1;
  if (ladder.question !== null && !state.asked && index === ladder.checks - 1)
    return [
      { ...state, place: 'question', asked: true },
      { move: 'ask', text: ladder.question },
    ];
  if (index < ladder.checks) return runCheck(state, index);
  if (ladder.selects) return leave(ladder, state, { cause: 'success', exit: 0 });
  if (ladder.hooks.success)
    return [
      { ...state, place: 'success' },
      { move: 'run-hook', hook: 'success' },
    ];
  return [{ ...state, place: 'seal' }, { move: 'seal' }];
}

function runCheck(state: StageState, index: number): readonly [StageState, Move] {
  return [
    { ...state, place: 'checks', check: index },
    { move: 'run-check', index },
  ];
}

/**
 * Work of an earlier run that fails a check is dropped, and was nobody's attempt. What fails because the question was not answered puts
 * it again; any other failure drops an answer, and the question comes again later.
 */
function sendBack(ladder: Ladder, state: StageState, failed: CheckFailed): readonly [StageState, Move] {
  if (state.attempt === 0) return [{ ...state, place: 'earlier' }, { move: 'drop-earlier' }];
  if (state.attempt > ladder.retries) {
    return leave(ladder, state, {
      ...{ cause: failed.spent ?? 'exhausted', exit: 1 },
      ...{ failed: failed.failed, reason: failed.reason, capture: failed.capture },
    });
  }
  const asked = ladder.question !== null && state.check === ladder.checks - 1;
  return [
    { ...state, place: 'agent', attempt: state.attempt + 1, asked, answer: null },
    { move: 'send-back', text: failed.text },
  ];
}

/** The first ending wins. The failure hook follows every ending but success and signal, once. */
function leave(ladder: Ladder, state: StageState, ending: Ending): readonly [StageState, Move] {
  if (state.ending) return [state, { move: 'settle', ending: state.ending }];
  const left: StageState = { ...state, place: 'leaving', ending };
  const quiet = ending.cause === 'success' || ending.cause === 'signal';
  return ladder.hooks.failure && !quiet ? [left, { move: 'run-failure-hook', ending }] : [left, { move: 'settle', ending }];
}

function expect(state: StageState, ...places: readonly StageState['place'][]): void {
  if (!places.includes(state.place))
    throw new Error(`a stage that stands at ${state.place} cannot meet this fact (expected ${places.join(' or ')})`);
}

function unreachable(state: StageState, fact: string): never {
  throw new Error(`${fact} at ${state.place} without an ending`);
}
