import { describe, expect, it } from 'vitest';
import { select } from '../../../src/agent/control/select.js';

const tool = select(['fix', 'stop', 'wait']);

describe('select', () => {
  it('[L-10 L-11] a name is recorded and ends the work', () => {
    expect(tool.act({ name: 'stop', reason: 'unsafe' })).toEqual({
      output: 'Noted.',
      recorded: { decision: 'select', answer: 'stop', reason: 'unsafe' },
      selection: { name: 'stop', reason: 'unsafe' },
    });
    expect(tool.spec.parameters).toMatchObject({ properties: { name: { enum: ['fix', 'stop', 'wait'] } } });
  });

  it.each<[string, string, string]>([
    ['a slip', 'stpo', 'There is no alternative "stpo". There are: fix, stop, wait. Did you mean "stop"? Nothing was selected.'],
    ['another case', 'Stop', 'There is no alternative "Stop". There are: fix, stop, wait. Did you mean "stop"? Nothing was selected.'],
    ['a stranger', 'continue', 'There is no alternative "continue". There are: fix, stop, wait. Nothing was selected.'],
    ['an empty one', '', 'There is no alternative "". There are: fix, stop, wait. Nothing was selected.'],
    ['a name of every object', '__proto__', 'There is no alternative "__proto__". There are: fix, stop, wait. Nothing was selected.'],
    [
      'an escape sequence',
      '\u001b[31mfix\n',
      'There is no alternative "\\x1b[31mfix\\x0a". There are: fix, stop, wait. Nothing was selected.',
    ],
  ])('[L-10] is an error that names what there is: %s', (_name, name, output) => {
    expect(tool.act({ name, reason: 'r' })).toEqual({ output, error: true });
  });

  it('[L-10] repeats little of a name that is long', () => {
    const { output, error } = tool.act({ name: 'x'.repeat(1_000_000), reason: 'r' });
    expect(error).toBe(true);
    expect(output.length).toBeLessThan(400);
  });

  it.each<[string, unknown, RegExp]>([
    ['no name', { reason: 'r' }, /name/],
    ['a number', { name: 1, reason: 'r' }, /name/],
    ['no reason', { name: 'fix' }, /reason/],
    ['[L-12] white space for a reason', { name: 'fix', reason: '\t' }, /reason/],
  ])('[L-10] selects nothing: %s', (_name, input, says) => {
    expect(tool.act(input)).toEqual({ output: expect.stringMatching(says), error: true });
  });
});
