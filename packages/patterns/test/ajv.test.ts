import { describe, expect, it } from 'vitest';
import { ajvRegExp, PatternTimeout } from '../src/index.js';

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
