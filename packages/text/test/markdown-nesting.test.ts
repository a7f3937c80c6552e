import { expect, it } from 'vitest';
import { isDeeplyNestedMarkdown } from '../src/index.js';

it.each([
  ['quotes', '>'.repeat(51), true],
  ['quotes with blanks', '> '.repeat(51), true],
  ['lists', '- '.repeat(51), true],
  ['numbered lists', '1. '.repeat(51), true],
  ['both, behind other lines', `text\n\n${'> - '.repeat(26)}text`, true],
  ['a mark far to the right', `${' '.repeat(200)}- item`, true],
  ['fifty deep', '> '.repeat(50), false],
  ['a rule of dashes, which nests nothing', '-'.repeat(80), false],
  ['emphasis without an end', '*'.repeat(80), false],
  ['a version', '1.2.3.4.5.6.'.repeat(20), false],
  ['text far to the right', `${' '.repeat(200)}text`, false],
  ['nothing', '', false],
])('[A-5 V-9] markdown that a parser would be long about is told without parsing it: %s', (_name, text, expected) => {
  expect(isDeeplyNestedMarkdown(text)).toBe(expected);
});
