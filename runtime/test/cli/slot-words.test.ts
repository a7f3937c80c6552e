import { Command } from 'commander';
import { expect, it } from 'vitest';
import { addInvocationWords, readInvocation } from '../../src/cli/invocation.js';
import { spellSlots } from '../../src/cli/slot-words.js';

const command = () => addInvocationWords(new Command('x').option('--json').option('-o, --out <file>')).exitOverride();

it.each([
  ['t --repo ../x req', 't --slot repo=../x req'],
  ['--repo=../x t', '--slot repo=../x t'],
  ['t --repo', 't --slot repo'],
  ['t --repo --json', 't --slot repo --json'],
  ['t --retries 3 --json', 't --retries 3 --json'],
  ['t --retries=3 req', 't --retries=3 req'],
  ['t --in --odd', 't --in --odd'],
  ['t -o file --repo p', 't -o file --slot repo=p'],
  ['t - --help', 't - --help'],
  ['t -- --repo x', 't -- --repo x'],
  ['t --repo -- x', 't --slot repo -- x'],
  ['t --slot in=x', 't --slot in=x'],
])('[O-7 O-3] %j is read as %j', (typed, expected) => {
  expect(spellSlots(typed.split(' '), command()).join(' ')).toBe(expected);
});

it('[O-1 O-3 O-7] the words become an invocation', () => {
  const parsed = command();
  parsed.parse(spellSlots(['./t', '--repo', 'a=b', '--no-request', '--retries', '0', '--max-cost', '1', '--route'], parsed), {
    from: 'user',
  });
  expect(readInvocation(parsed)).toMatchObject({
    target: './t',
    request: { words: [], none: true },
    slots: [{ name: 'repo', path: 'a=b' }],
    options: { retries: '0' },
    maxCost: '1',
    route: true,
  });
  expect(readInvocation(parsed).optionNames).toContain('max-cost');
});

it('[O-3] after -- a request may look like an option', () => {
  const parsed = command();
  parsed.parse(spellSlots(['t', '--', '--fix'], parsed), { from: 'user' });
  expect(readInvocation(parsed).request).toEqual({ words: ['--fix'], none: false });
});
