import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type CheckFailed,
  decide,
  type Ending,
  type Ladder,
  type Move,
  OUTSIDE,
  type StageFact,
  type StageState,
} from '../../src/stage/decide.js';
import { fault, stopped } from '../../src/stage/ending.js';

const HOOKS = { before: true, success: true, failure: true };
const NONE = { before: false, success: false, failure: false };
const BARE: Ladder = { hooks: NONE, checks: 1, retries: 2 };
const FULL: Ladder = { hooks: HOOKS, checks: 3, retries: 2 };

const entered: StageFact = { fact: 'entered' };
const hookPassed: StageFact = { fact: 'hook-passed' };
const agentStopped: StageFact = { fact: 'agent-stopped' };
const passed: StageFact = { fact: 'check-passed' };
const sealed: StageFact = { fact: 'sealed' };
const failureRan: StageFact = { fact: 'failure-hook-ran' };
const failed: CheckFailed = { fact: 'check-failed', failed: 'gate.sh', text: 'say good', reason: 'say good', capture: '/c' };
const ended = (ending: Ending): StageFact => ({ fact: 'ended', ending });

/** Plays facts and returns every move that came of them, in a word each. */
function play(ladder: Ladder, facts: readonly StageFact[]): string[] {
  let state: StageState = OUTSIDE;
  return facts.map((fact) => {
    const [next, move] = decide(ladder, state, fact);
    state = next;
    return spell(move);
  });
}

function spell(move: Move): string {
  switch (move.move) {
    case 'run-hook':
      return move.hook;
    case 'run-check':
      return `check ${move.index}`;
    case 'send-back':
      return `back: ${move.text}`;
    case 'settle':
      return `${move.ending.cause} ${move.ending.exit}`;
    case 'run-failure-hook':
      return 'failure';
    default:
      return move.move;
  }
}

const table: readonly [string, Ladder, readonly StageFact[], readonly string[]][] = [
  [
    '[K-1] success: everything in order',
    FULL,
    [entered, hookPassed, agentStopped, passed, passed, passed, hookPassed, sealed],
    ['before', 'start-agent', 'check 0', 'check 1', 'check 2', 'success', 'seal', 'success 0'],
  ],
  [
    '[K-1] success: a stage with nothing but an output',
    BARE,
    [entered, agentStopped, passed, sealed],
    ['start-agent', 'check 0', 'seal', 'success 0'],
  ],
  [
    '[K-1 K-2] a failed check holds the agent, and the next round begins at the top',
    { ...BARE, checks: 2 },
    [entered, agentStopped, passed, failed, agentStopped, passed, passed, sealed],
    ['start-agent', 'check 0', 'check 1', 'back: say good', 'check 0', 'check 1', 'seal', 'success 0'],
  ],
  [
    '[K-2] exhausted: round retries + 1 fails',
    { ...BARE, retries: 1 },
    [entered, agentStopped, failed, agentStopped, failed],
    ['start-agent', 'check 0', 'back: say good', 'check 0', 'exhausted 1'],
  ],
  [
    '[K-2] exhausted: no retries at all',
    { ...BARE, retries: 0 },
    [entered, agentStopped, failed],
    ['start-agent', 'check 0', 'exhausted 1'],
  ],
  [
    '[L-9 K-12] refused: no checks, the failure hook runs',
    FULL,
    [entered, hookPassed, ended({ cause: 'refused', exit: 1 }), failureRan],
    ['before', 'start-agent', 'failure', 'refused 1'],
  ],
  [
    '[K-12] rejected: before says no, no agent starts',
    FULL,
    [entered, { fact: 'hook-refused', hook: 'before', reason: 'no' }, failureRan],
    ['before', 'failure', 'rejected 1'],
  ],
  [
    '[K-12] rejected: success says no after every check',
    { ...FULL, checks: 1 },
    [entered, hookPassed, agentStopped, passed, { fact: 'hook-refused', hook: 'success', reason: 'no' }, failureRan],
    ['before', 'start-agent', 'check 0', 'success', 'failure', 'rejected 1'],
  ],
  [
    '[K-8] blocked: at once, no send-back',
    FULL,
    [entered, hookPassed, agentStopped, ended({ cause: 'blocked', exit: 1 }), failureRan],
    ['before', 'start-agent', 'check 0', 'failure', 'blocked 1'],
  ],
  ['[L-5] timeout: the agent’s clock', BARE, [entered, ended({ cause: 'timeout', exit: 1 })], ['start-agent', 'timeout 1']],
  [
    '[K-8] timeout: a gate’s clock',
    BARE,
    [entered, agentStopped, ended({ cause: 'timeout', exit: 2 })],
    ['start-agent', 'check 0', 'timeout 2'],
  ],
  [
    '[E-2 K-12] signal: no failure hook',
    FULL,
    [entered, hookPassed, ended(stopped({ stop: 'signal', signal: 2, name: 'SIGINT' }))],
    ['before', 'start-agent', 'signal 130'],
  ],
  [
    '[K-11] fault: drift at the seal',
    { ...FULL, checks: 1 },
    [entered, hookPassed, agentStopped, passed, hookPassed, ended(fault('drift')), failureRan],
    ['before', 'start-agent', 'check 0', 'success', 'seal', 'failure', 'fault 2'],
  ],
  [
    '[K-12] the failure hook cannot replace the ending',
    FULL,
    [entered, ended({ cause: 'refused', exit: 1 }), ended(fault('the hook broke'))],
    ['before', 'failure', 'refused 1'],
  ],
];

describe('the ladder of a stage', () => {
  it.each(table)('[E-1] %s', (_name, ladder, facts, moves) => {
    expect(play(ladder, facts)).toEqual(moves);
  });

  it('[K-2] keeps what failed, why and where', () => {
    const [state] = decide({ ...BARE, retries: 0 }, { ...OUTSIDE, place: 'checks' }, failed);
    expect(state.ending).toEqual({ cause: 'exhausted', exit: 1, failed: 'gate.sh', reason: 'say good', capture: '/c' });
  });

  it('[R-5] ends exactly once, whatever happens, within the bound its author wrote', () => {
    const answers = fc.infiniteStream(fc.constantFrom<'yes' | 'no' | 'end'>('yes', 'yes', 'no', 'end'));
    const ladders = fc.record({
      hooks: fc.record({ before: fc.boolean(), success: fc.boolean(), failure: fc.boolean() }),
      checks: fc.integer({ min: 1, max: 5 }),
      retries: fc.integer({ min: 0, max: 4 }),
    });
    fc.assert(
      fc.property(ladders, answers, (ladder, stream) => {
        let [state, move] = decide(ladder, OUTSIDE, entered);
        let sentBack = 0;
        for (let steps = 0; move.move !== 'settle'; steps += 1) {
          expect(steps).toBeLessThan(4 + (ladder.retries + 1) * (ladder.checks + 1));
          if (move.move === 'send-back') sentBack += 1;
          [state, move] = decide(ladder, state, factFor(move, stream.next().value));
        }
        expect(sentBack).toBeLessThanOrEqual(ladder.retries);
        expect(move.ending).toEqual(state.ending);
        if (move.ending.cause === 'success') expect(state.place).toBe('leaving');
      }),
    );
  });

  it('[R-5] a fact that cannot happen where the stage stands is a defect and throws', () => {
    expect(() => decide(FULL, OUTSIDE, sealed)).toThrow(/outside/);
  });
});

function factFor(move: Exclude<Move, { move: 'settle' }>, answer: 'yes' | 'no' | 'end'): StageFact {
  if (answer === 'end' && move.move !== 'run-failure-hook') return ended(fault('broken'));
  switch (move.move) {
    case 'run-hook':
      return answer === 'yes' ? hookPassed : { fact: 'hook-refused', hook: move.hook, reason: 'no' };
    case 'run-check':
      return answer === 'yes' ? passed : failed;
    case 'seal':
      return sealed;
    case 'run-failure-hook':
      return failureRan;
    default:
      return agentStopped;
  }
}
