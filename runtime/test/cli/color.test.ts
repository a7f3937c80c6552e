import { expect, it } from 'vitest';
import { mayColor, mayRepaint, paint } from '../../src/cli/color.js';

it.each([
  [{}, true, true],
  [{}, false, false],
  [{ TERM: 'dumb' }, true, false],
  [{ NO_COLOR: '1' }, true, false],
  [{ NO_COLOR: '' }, true, true],
  [{ FORCE_COLOR: '1' }, false, true],
  [{ FORCE_COLOR: '' }, false, true],
  [{ FORCE_COLOR: '0' }, true, false],
  [{ FORCE_COLOR: '1', NO_COLOR: '1' }, true, false],
  [{ FORCE_COLOR: '1', TERM: 'dumb' }, true, true],
  [{ CI: 'true' }, true, true],
])('[I-3] with %j and a terminal %s, colour: %s', (env, isTerminal, expected) => {
  expect(mayColor(env, isTerminal)).toBe(expected);
});

it.each([
  [{}, true, true],
  [{}, false, false],
  [{ CI: 'true' }, true, false],
  [{ CI: 'false' }, true, true],
  [{ TERM: 'dumb' }, true, false],
  [{ FORCE_COLOR: '1' }, false, false],
])('[I-3] with %j and a terminal %s, repainting: %s', (env, isTerminal, expected) => {
  expect(mayRepaint(env, isTerminal)).toBe(expected);
});

it('[I-3] paint is the text itself without colour', () => {
  expect(paint(false).red('x')).toBe('x');
  expect(paint(true).red('x')).toBe('\u001b[31mx\u001b[39m');
  expect(paint(true).red('')).toBe('');
});
