import { describe, expect, it } from 'vitest';
import { answer } from '../../../src/agent/control/continue.js';

const asked = answer(() => true);

describe('continue', () => {
  it.each(['continue', 'stop'] as const)('[L-10 L-11 R-4] an answer of %s is recorded and ends the work', (word) => {
    expect(asked.act({ answer: word, reason: 'two are left' })).toEqual({
      output: 'Noted.',
      recorded: { decision: 'continue', answer: word, reason: 'two are left' },
      answer: { answer: word, reason: 'two are left' },
    });
  });

  it('[L-10] is an error that changes nothing while there is no question, and an answer once there is one', () => {
    let open = false;
    const tool = answer(() => open);
    const input = { answer: 'stop', reason: 'ready' };
    expect(tool.act(input)).toEqual({ output: 'There is no question to answer now.', error: true });
    open = true;
    expect(tool.act(input).answer).toEqual(input);
  });

  it.each<[string, unknown, RegExp]>([
    ['another word', { answer: 'yes', reason: 'r' }, /"continue", "stop"/],
    ['a truth value', { answer: true, reason: 'r' }, /answer/],
    ['no answer', { reason: 'r' }, /answer/],
    ['no reason', { answer: 'stop' }, /reason/],
    ['[L-12] white space for a reason', { answer: 'stop', reason: ' \n\u00a0\t' }, /reason/],
    ['more than was asked', { answer: 'stop', reason: 'r', repeat: 2 }, /repeat/],
    ['nothing', undefined, /object/],
  ])('[L-10] answers nothing: %s', (_name, input, says) => {
    const effect = asked.act(input);
    expect(effect).toEqual({ output: expect.stringMatching(says), error: true });
  });
});
