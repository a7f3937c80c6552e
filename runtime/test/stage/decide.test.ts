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
const BARE: Ladder = { hooks: NONE, checks: 1, retries: 2, question: null, selects: false, reuses: false };
const FULL: Ladder = { ...BARE, hooks: HOOKS, checks: 3 };
/** An output, a gate, and whether the question was answered. */
const ASKING: Ladder = { ...BARE, checks: 3, question: 'ready?' };
/** As FULL, where the work of an earlier run may stand in. */
const REUSING: Ladder = { ...FULL, reuses: true };
const CHOOSING: Ladder = { ...BARE, selects: true };

const entered: StageFact = { fact: 'entered' };
const hookPassed: StageFact = { fact: 'hook-passed' };
const foundEarlier: StageFact = { fact: 'found-earlier' };
const nothingEarlier: StageFact = { fact: 'nothing-earlier' };
const agentStopped: StageFact = { fact: 'agent-stopped' };
const passed: StageFact = { fact: 'check-passed' };
const sealed: StageFact = { fact: 'sealed' };
const failureRan: StageFact = { fact: 'failure-hook-ran' };
const answered: StageFact = { fact: 'answered', answer: { answer: 'stop', reason: 'ready' } };
const selected: StageFact = { fact: 'selected', selection: { name: 'fix', reason: 'small' } };
const unanswered: CheckFailed = { fact: 'check-failed', failed: 'question', text: 'answer!', reason: 'answer!', capture: '/q' };
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
    case 'ask':
      return move.text;
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
  [
    '[G-12] earlier work that passes everything: no agent, and hooks as ever',
    REUSING,
    [entered, hookPassed, foundEarlier, passed, passed, passed, hookPassed, sealed],
    ['before', 'look-for-earlier', 'check 0', 'check 1', 'check 2', 'success', 'seal', 'success 0'],
  ],
  [
    '[G-12] nothing earlier: the agent works',
    { ...BARE, reuses: true },
    [entered, nothingEarlier, agentStopped, passed, sealed],
    ['look-for-earlier', 'start-agent', 'check 0', 'seal', 'success 0'],
  ],
  [
    '[G-12 K-2] earlier work that a check refuses is dropped, and the agent has all of its attempts',
    { ...BARE, checks: 2, retries: 1, reuses: true },
    [entered, foundEarlier, passed, failed, nothingEarlier, agentStopped, failed, agentStopped, passed, failed],
    [
      ...['look-for-earlier', 'check 0', 'check 1', 'drop-earlier'],
      ...['start-agent', 'check 0', 'back: say good', 'check 0', 'check 1', 'exhausted 1'],
    ],
  ],
  [
    '[G-12 K-8] earlier work that meets a broken check ends the stage',
    { ...BARE, reuses: true },
    [entered, foundEarlier, ended({ cause: 'timeout', exit: 2 })],
    ['look-for-earlier', 'check 0', 'timeout 2'],
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

const questions: readonly [string, Ladder, readonly StageFact[], readonly string[]][] = [
  [
    '[K-14] success: asked after every other check and before the success hook',
    { ...ASKING, hooks: HOOKS },
    [entered, hookPassed, agentStopped, passed, passed, answered, passed, hookPassed, sealed],
    ['before', 'start-agent', 'check 0', 'check 1', 'ready?', 'check 2', 'success', 'seal', 'success 0'],
  ],
  [
    '[K-2] a stop without an answer is a failed round, and what it is sent back with can be answered at once',
    ASKING,
    [entered, agentStopped, passed, passed, agentStopped, unanswered, answered, passed, passed, passed, sealed],
    [
      ...['start-agent', 'check 0', 'check 1', 'ready?', 'check 2', 'back: answer!'],
      ...['check 0', 'check 1', 'check 2', 'seal', 'success 0'],
    ],
  ],
  [
    '[K-2] a second stop without an answer is the next failed round: it was put already',
    ASKING,
    [entered, agentStopped, passed, passed, agentStopped, unanswered, agentStopped, passed, passed, unanswered],
    ['start-agent', 'check 0', 'check 1', 'ready?', 'check 2', 'back: answer!', 'check 0', 'check 1', 'check 2', 'back: answer!'],
  ],
  [
    '[E-1] exhausted: the last round ends without an answer',
    { ...ASKING, retries: 0 },
    [entered, agentStopped, passed, passed, agentStopped, unanswered],
    ['start-agent', 'check 0', 'check 1', 'ready?', 'check 2', 'exhausted 1'],
  ],
  [
    '[K-1] an answer is dropped with a round that fails, and the question comes again',
    { ...ASKING, retries: 3 },
    [
      ...[entered, agentStopped, passed, passed, agentStopped, unanswered],
      ...[answered, passed, failed],
      ...[agentStopped, passed, passed, answered, passed, sealed],
    ],
    [
      ...['start-agent', 'check 0', 'check 1', 'ready?', 'check 2', 'back: answer!'],
      ...['check 0', 'check 1', 'back: say good'],
      ...['check 0', 'check 1', 'ready?', 'check 2', 'seal', 'success 0'],
    ],
  ],
  [
    '[L-9] refused: at the question too',
    { ...ASKING, hooks: { ...NONE, failure: true } },
    [entered, agentStopped, passed, passed, ended({ cause: 'refused', exit: 1 }), failureRan],
    ['start-agent', 'check 0', 'check 1', 'ready?', 'failure', 'refused 1'],
  ],
  [
    '[K-11] fault: the output was changed while the question stood',
    ASKING,
    [entered, agentStopped, passed, passed, answered, ended(fault('drift'))],
    ['start-agent', 'check 0', 'check 1', 'ready?', 'check 2', 'fault 2'],
  ],
  [
    '[L-5] timeout: at the question',
    ASKING,
    [entered, agentStopped, passed, passed, ended({ cause: 'timeout', exit: 1 })],
    ['start-agent', 'check 0', 'check 1', 'ready?', 'timeout 1'],
  ],
  ['[G-4] success: a selection is judged and not sealed', CHOOSING, [entered, selected, passed], ['start-agent', 'check 0', 'success 0']],
  [
    '[G-4] a stop without a selection is a failed round',
    CHOOSING,
    [entered, agentStopped, failed, selected, passed],
    ['start-agent', 'check 0', 'back: say good', 'check 0', 'success 0'],
  ],
  [
    '[E-1] exhausted: no selection in the last round',
    { ...CHOOSING, retries: 1 },
    [entered, agentStopped, failed, agentStopped, failed],
    ['start-agent', 'check 0', 'back: say good', 'check 0', 'exhausted 1'],
  ],
  ['[L-9] refused: nothing to select from', CHOOSING, [entered, ended({ cause: 'refused', exit: 1 })], ['start-agent', 'refused 1']],
];

describe('the ladder of a stage', () => {
  it.each(questions)('[G-3 G-4 L-11] %s', (_name, ladder, facts, moves) => {
    expect(play(ladder, facts)).toEqual(moves);
  });

  it('[G-3] what was answered stands at the end, and not what a failed round dropped', () => {
    const facts = [entered, agentStopped, passed, passed, agentStopped, unanswered, answered, failed];
    const dropped = facts.reduce((state, fact) => decide(ASKING, state, fact)[0], OUTSIDE);
    expect(dropped).toMatchObject({ asked: false, answer: null, attempt: 3 });
    const again = [agentStopped, passed, passed, { ...answered, answer: { answer: 'continue', reason: 'more' } } as const, passed, sealed];
    const end = again.reduce((state, fact) => decide(ASKING, state, fact)[0], dropped);
    expect(end).toMatchObject({ answer: { answer: 'continue', reason: 'more' }, ending: { cause: 'success' } });
  });

  it.each<[string, Ladder, readonly StageFact[]]>([
    ['an answer before the question', ASKING, [entered, answered]],
    ['an answer in a round that something else failed', ASKING, [entered, agentStopped, failed, answered]],
    ['a selection where there is none', ASKING, [entered, selected]],
    ['an answer of who selects', CHOOSING, [entered, answered]],
  ])('[R-5 L-10] throws for %s', (_name, ladder, facts) => {
    expect(() => play(ladder, facts)).toThrow(/without a question|nothing to select/);
  });

  it.each(table)('[E-1] %s', (_name, ladder, facts, moves) => {
    expect(play(ladder, facts)).toEqual(moves);
  });

  it('[K-2] keeps what failed, why and where', () => {
    const [state] = decide({ ...BARE, retries: 0 }, { ...OUTSIDE, place: 'checks' }, failed);
    expect(state.ending).toEqual({ cause: 'exhausted', exit: 1, failed: 'gate.sh', reason: 'say good', capture: '/c' });
  });

  it('[R-5] ends exactly once, whatever happens, within the bound its author wrote', () => {
    const answers = fc.infiniteStream(fc.constantFrom<'yes' | 'no' | 'end'>('yes', 'yes', 'yes', 'no', 'end'));
    const ladders = fc.record({
      hooks: fc.record({ before: fc.boolean(), success: fc.boolean(), failure: fc.boolean() }),
      checks: fc.integer({ min: 2, max: 5 }),
      retries: fc.integer({ min: 0, max: 4 }),
      question: fc.constantFrom(null, 'ready?'),
      selects: fc.boolean(),
      reuses: fc.boolean(),
    });
    fc.assert(
      fc.property(ladders, answers, (drawn, stream) => {
        const ladder = drawn.selects ? { ...drawn, question: null } : drawn;
        let [state, move] = decide(ladder, OUTSIDE, entered);
        let sentBack = 0;
        for (let steps = 0; move.move !== 'settle'; steps += 1) {
          expect(steps).toBeLessThan(6 + (ladder.retries + 2) * (ladder.checks + 2));
          if (move.move === 'send-back') sentBack += 1;
          [state, move] = decide(ladder, state, factFor(move, stream.next().value, { ladder, state }));
        }
        expect(sentBack).toBeLessThanOrEqual(ladder.retries);
        expect(move.ending).toEqual(state.ending);
        if (move.ending.cause !== 'success') return;
        expect(state.place).toBe('leaving');
        expect(state.answer !== null).toBe(ladder.question !== null);
        expect(state.selection !== null).toBe(ladder.selects);
      }),
    );
  });

  it('[R-5] a fact that cannot happen where the stage stands is a defect and throws', () => {
    expect(() => decide(FULL, OUTSIDE, sealed)).toThrow(/outside/);
  });
});

type Yes = 'yes' | 'no' | 'end';

/** What a machine that keeps to the moves would say: the last check knows whether what it looks for is there. */
function factFor(
  move: Exclude<Move, { move: 'settle' }>,
  answer: Yes,
  { ladder, state }: { ladder: Ladder; state: StageState },
): StageFact {
  if (answer === 'end' && move.move !== 'run-failure-hook') return ended(fault('broken'));
  switch (move.move) {
    case 'run-hook':
      return answer === 'yes' ? hookPassed : { fact: 'hook-refused', hook: move.hook, reason: 'no' };
    case 'look-for-earlier':
      return answer === 'yes' && ladder.question === null && !ladder.selects ? foundEarlier : nothingEarlier;
    case 'drop-earlier':
      return nothingEarlier;
    case 'run-check':
      if (move.index === ladder.checks - 1 && ladder.question !== null) return state.answer ? passed : unanswered;
      if (move.index === ladder.checks - 1 && ladder.selects) return state.selection ? passed : failed;
      return answer === 'yes' ? passed : failed;
    case 'seal':
      return sealed;
    case 'run-failure-hook':
      return failureRan;
    default:
      if (answer === 'yes' && state.asked) return answered;
      return answer === 'yes' && ladder.selects ? selected : agentStopped;
  }
}
