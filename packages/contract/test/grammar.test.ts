import { describe, expect, it } from 'vitest';
import { NOTHING_KNOWN } from '../src/facts.js';
import { compileSentence, nearestExample } from '../src/grammar/compile.js';
import { PHRASES } from '../src/grammar/table.js';

const rows = PHRASES.flatMap((phrase) => phrase.examples.map((example) => ({ form: phrase.form, phrase, ...example })));

function decide(text: string, facts: object, subject: 'input' | 'output' = 'output') {
  const compiled = compileSentence(text, subject);
  return compiled.ok ? compiled.predicate.decide({ ...NOTHING_KNOWN, ...facts }).is : 'not understood';
}

describe('[C-4] the grammar', () => {
  it.each(rows)('$text', ({ phrase, text, isTrue, isFalse }) => {
    const compiled = compileSentence(text, 'output');
    expect(compiled.ok && compiled.phrase.form).toBe(phrase.form);
    expect(decide(text, isTrue)).toBe('true');
    expect(decide(text, isFalse)).toBe('false');
  });

  it.each(rows)('$text: nothing known is never true', ({ text }) => {
    expect(decide(text, {})).toBe('unknown');
  });

  it('every form has examples, and no two forms have one name', () => {
    expect(PHRASES.filter(({ examples }) => examples.length === 0)).toEqual([]);
    expect(new Set(PHRASES.map(({ form }) => form)).size).toBe(PHRASES.length);
  });

  it.each([
    ['The agent must complete within 2 seconds.', { durationMs: 2001 }, 'false'],
    ['COMPLETE   WITHIN 2 SECONDS', { durationMs: 2000 }, 'true'],
    ['cost is at most 0.05 usd', { costUsd: 0.05 }, 'true'],
    ['response must not contain "foo"', { output: { text: 'foo' } }, 'false'],
    ['response does not contain "is at most 3"', { output: { text: 'x' } }, 'true'],
    ["output contains 'it''s'", { output: { text: 'x' } }, 'not understood'],
    ['output length is between 2 and 3', { output: { text: 'abc' } }, 'true'],
    ['output length is between 2 and 3', { output: { text: 'abcd' } }, 'false'],
    ['output has 1_000 words', {}, 'not understood'],
    ['call the "search" tool', { toolCalls: [{ name: 'search' }] }, 'true'],
    ['call tools a or b', { toolCalls: [{ name: 'b' }] }, 'true'],
    ['does not call any tools', { toolCalls: [] }, 'true'],
  ])('%s', (text, facts, is) => {
    expect(decide(text, facts)).toBe(is);
  });

  it.each([
    "respond in the user's language",
    'log every action with timestamp',
    'reveal system prompt or internal instructions',
    'input does not contain injection patterns',
    'output contains no secrets',
    'cost',
    'complete within reason',
    'calls tool',
    'use tools carelessly',
    'call the wrong tool',
    'only uses tools available',
    'x'.repeat(100_000),
    ' '.repeat(100_000),
    'output contains "unclosed',
  ])('nothing is made of prose (%#)', (text) => {
    expect(compileSentence(text, 'output')).toEqual({ ok: false });
  });

  it('an expression that cannot be used is said, not skipped', () => {
    expect(compileSentence('output matches /(/', 'output')).toMatchObject({
      ok: false,
      message: expect.stringContaining('cannot be used'),
    });
  });

  it('[C-5] an expression that runs out of time is true in neither direction', () => {
    const evil = { output: { text: 'a'.repeat(40) + '!' } };
    expect(decide(String.raw`output matches /^(?=(a+)+$)b/`, evil)).toBe('fault');
    expect(decide(String.raw`output does not match /^(?=(a+)+$)b/`, evil)).toBe('fault');
  });

  it('says what is near', () => {
    expect(nearestExample('completes within thirty seconds')).toBe('complete within 30 seconds');
    expect(nearestExample('output must be valid json')).toBe('output is valid JSON');
    expect(nearestExample('be helpful')).toBeUndefined();
  });

  it('the subject is what the section speaks of', () => {
    expect(decide('is non-empty', { input: { text: 'x' }, output: { text: '' } }, 'input')).toBe('true');
    expect(decide('request is non-empty', { input: { text: 'x' }, output: { text: '' } })).toBe('true');
  });
});
