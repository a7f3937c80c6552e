import { describe, expect, it } from 'vitest';
import { ajvRegExp, ajvWords, PatternTimeout } from '../src/index.js';

describe('ajvRegExp', () => {
  it('[K-5] searches anywhere in the text', () => {
    expect(ajvRegExp('b', 'u').test('abc')).toBe(true);
    expect(ajvRegExp('^b', 'u').test('abc')).toBe(false);
    expect(typeof ajvRegExp.code).toBe('string');
  });

  it('[K-5] throws for an invalid pattern', () => {
    expect(() => ajvRegExp('(', 'u')).toThrow(SyntaxError);
  });

  it('[K-5] a test that runs out of time is neither a match nor a mismatch', () => {
    const expression = ajvRegExp('^(?!y)(a+)+$', 'u');
    expect(() => expression.test('a'.repeat(100_000) + 'b')).toThrow(PatternTimeout);
  });
});

it.each([
  ['enum', { allowedValues: ['yes', 'no, never', 3] }, 'must be one of yes, "no, never", 3'],
  ['const', { allowedValue: { a: 1 } }, 'must be {"a":1}'],
  ['additionalProperties', { additionalProperty: 'x' }, 'must not have the property "x"'],
  ['unevaluatedProperties', { unevaluatedProperty: 'x' }, 'must not have the property "x"'],
  ['propertyNames', { propertyName: 'x' }, 'must not have the property "x"'],
  ['type', {}, 'must be string'],
])('[K-5 C-5] what a schema found is said in words that help: %s', (keyword, params, words) => {
  expect(ajvWords({ keyword, params, message: 'must be string' })).toBe(words);
});

it('[K-5] two patterns are never taken for one', () => {
  expect(String(ajvRegExp('a', 'u'))).not.toBe(String(ajvRegExp('b', 'u')));
});
