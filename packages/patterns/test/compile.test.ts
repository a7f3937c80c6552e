import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compilePattern } from '../src/index.js';
import type { Pattern } from '../src/index.js';

function compiled(source: string, flags = ''): Pattern {
  const result = compilePattern(source, flags);
  if (!result.ok) throw new Error(result.message);
  return result.pattern;
}

/** source, flags, a text that matches, a text that does not */
const LINEAR: [string, string, string, string][] = [
  ['foo', '', 'a foo b', 'fo'],
  ['^foo$', '', 'foo', 'foo\n'],
  ['^.$', '', '😀', '\r'],
  ['^.$', 's', '\n', 'ab'],
  ['^a.b$', '', 'a\u0085b', 'a\u2028b'],
  ['FOO', 'i', 'foo', 'fo'],
  ['(?i)foo', '', 'FOO', 'fo'],
  ['(?is)a.b', '', 'A\nB', 'ab'],
  ['^b$', 'm', 'a\nb\nc', 'ab'],
  ['(?m)^b$', '', 'a\nb\nc', 'ab'],
  ['^\\s$', '', '\u00a0', '\u200b'],
  ['^[\\sx]$', '', '\u2003', 'y'],
  ['^\\S$', '', 'x', '\ufeff'],
  ['^\\d+$', '', '123', '１２３'],
  ['^\\u0041\\u{1F600}$', '', 'A😀', 'A'],
  ['^\\ud83d\\ude00$', '', '😀', '\ud83d'],
  ['^[\\u0041-\\u005a]+$', '', 'AZ', 'a'],
  ['^[\\b]$', '', '\b', 'b'],
  ['^[[a]$', '', '[', 'b'],
  ['^[a[\\]]$', '', ']', 'b'],
  ['^[(?<x.]$', '', '<', 'y'],
  ['^[.]$', '', '.', 'x'],
  ['^\\cA$', '', '\x01', 'A'],
  ['^\\0$', '', '\0', '0'],
  ['^a\\/b$', '', 'a/b', 'ab'],
  ['(?<year>\\d{4})', '', '2026', '26'],
  ['^\\p{L}+$', '', 'Größe', '1'],
  ['^\\p{Script=Greek}$', '', 'α', 'a'],
  ['^\\P{L}$', '', '1', 'a'],
  ['(?P<year>\\d{4})', '', '2026', '26'],
  ['^[[:alpha:]]+$', '', 'abc', 'a1'],
  ['\\Aab\\z', '', 'ab', 'abc'],
  ['^(?:a|b){2,3}?$', '', 'aba', 'a'],
  ['\\bcat\\b', '', 'a cat.', 'scatter'],
  ['', '', '', '\0never'],
].filter((row): row is [string, string, string, string] => row[0] !== '');

const BACKTRACKING: [string, string, string, string][] = [
  ['^(?=.*\\d)(?=.*[a-z]).{4,}$', '', 'abc1', 'abcd'],
  ['^(?!foo)', '', 'bar', 'foo'],
  ['(?<=\\$)\\d+', '', '$5', '5'],
  ['(?<!\\$)5', '', '5', '$5'],
  ['^(.)\\1$', '', 'aa', 'ab'],
  ['^(?<q>[\'"]).*\\k<q>$', '', '"x"', '"x\''],
  ['(?i)^(?=a)', '', 'A', 'b'],
  ['^[^]$', '', '\n', 'ab'],
  ['^a{1001}$', '', 'a'.repeat(1001), 'a'],
  ['^[\\S\\n]$', '', '\n', ' '],
  ['^\\p{Script_Extensions=Greek}$', '', 'α', 'a'],
  ['^(?=x)\\-', '', 'never', 'x'],
].filter((row): row is [string, string, string, string] => row[2] !== 'never');

describe('patterns', () => {
  it.each(LINEAR)('[C-5 K-5] %s with flags "%s" runs in linear time', (source, flags, yes, no) => {
    const pattern = compiled(source, flags);
    expect(pattern.linear).toBe(true);
    expect([pattern.test(yes), pattern.test(no)]).toEqual([true, false]);
  });

  it.each(BACKTRACKING)('[C-5] %s with flags "%s" runs in JavaScript', (source, flags, yes, no) => {
    const pattern = compiled(source, flags);
    expect(pattern.linear).toBe(false);
    expect([pattern.test(yes), pattern.test(no)]).toEqual([true, false]);
  });

  it('[C-5] a hostile pattern in linear time ends on a large text', () => {
    for (const source of ['^(a+)+$', '^(a|a)*$', '(x+x+)+y', '^(a|aa)+$', '(.*a){20}$']) {
      const pattern = compiled(source);
      expect(pattern.linear).toBe(true);
      expect(pattern.test('a'.repeat(100_000) + 'b')).toBe(false);
    }
  });

  it('[C-5] a hostile pattern that RE2 cannot express runs out of time, and the next test works again', () => {
    const pattern = compiled('(?=.*(a+)+$)x|^(?!y)(b+)+$');
    expect(pattern.test('a'.repeat(100_000) + 'b')).toBe('timed-out');
    expect(pattern.test('bb')).toBe(true);
  });

  it.each(['(', '[a', 'a**', '(?<n>a)(?<n>b)', '\\p{Nonsense}', 'a{2,1}'])('[C-5] %s is refused with a reason', (source) => {
    const result = compilePattern(source);
    expect(result.ok).toBe(false);
    expect(result.ok ? '' : result.message).toContain('Invalid regular expression');
  });

  it('[C-5] an unknown flag is refused', () => {
    expect(compilePattern('a', 'gx')).toEqual({ ok: false, message: 'Unknown flags: gx.' });
  });

  it('[K-5] the flag u is strict, without it the loose JavaScript syntax is understood', () => {
    expect(compilePattern('^(?=x)\\_', 'u').ok).toBe(false);
    expect(compiled('^(?=_)\\_').test('_')).toBe(true);
  });

  it('[C-5] deep nesting and a very long pattern are an answer, not a crash', () => {
    for (const source of ['('.repeat(50_000) + ')'.repeat(50_000), '['.repeat(100_000), 'a?'.repeat(50_000)]) {
      expect(typeof compilePattern(source).ok).toBe('boolean');
    }
  });

  it('[C-5] a linear pattern agrees with JavaScript on every text', () => {
    const piece = fc.constantFrom(
      'a',
      'b',
      '.',
      '\\s',
      '\\S',
      '\\d',
      '\\w',
      '[^a]',
      '[a-c\\s]',
      '(?:a|b)',
      '\\u00a0',
      '^',
      '$',
      '\\b',
      '[.\\n]',
    );
    const quantified = fc
      .tuple(piece, fc.constantFrom('', '', '*', '+', '?', '{1,2}'))
      .map(([p, q]) => (/^(?:\^|\$|\\b)$/.test(p) ? p : p + q));
    const source = fc.array(quantified, { minLength: 1, maxLength: 5 }).map((pieces) => pieces.join(''));
    const unit = fc.constantFrom('a', 'b', 'c', ' ', '\n', '\r', '\u2028', '\u00a0', '1', '😀', '_', '\u0085');
    const text = fc.array(unit, { maxLength: 6 }).map((units) => units.join(''));
    fc.assert(
      fc.property(source, fc.constantFrom('', 'i', 's'), text, (pattern, flags, input) => {
        const { linear, test } = compiled(pattern, flags);
        expect(linear).toBe(true);
        expect(test(input)).toBe(new RegExp(pattern, `${flags}u`).test(input));
      }),
      { numRuns: 2000 },
    );
  });
});
