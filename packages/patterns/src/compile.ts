import { RE2JS } from 're2js';
import { backtrack } from './backtrack.js';
import { leadingFlags } from './flags.js';
import { toRe2 } from './translate.js';

export type PatternFlag = 'i' | 'm' | 's' | 'u';

export interface Pattern {
  /** Whether the pattern is found anywhere in the text. `timed-out` only for patterns that are not linear, after one second. */
  test(text: string): boolean | 'timed-out';
  /** Whether the time a test takes is bounded by the length of the text. */
  readonly linear: boolean;
}

export type PatternResult = { readonly ok: true; readonly pattern: Pattern } | { readonly ok: false; readonly message: string };

/** Escapes that JavaScript reads as plain letters without the flag `u`: surely not what was meant. */
const NEEDS_UNICODE = /\\[pPu]\{/;

/**
 * A search pattern that cannot hang the program (C-5). A pattern that is a JavaScript expression with the `u` flag means what
 * it means there, and leading inline flags such as `(?i)` work too; it runs in linear time when RE2 can express it, else in
 * JavaScript's engine with one second a test. Anything else is tried as RE2 syntax (`(?P<name>…)`, `[[:alpha:]]`), then as
 * a JavaScript expression without `u`, unless the flag `u` was given.
 */
export function compilePattern(source: string, flags: readonly PatternFlag[] | string = ''): PatternResult {
  const { rest, flags: inline } = leadingFlags(source);
  const wanted = new Set([...flags, ...inline]);
  const loose = [...wanted].filter((flag) => flag !== 'u').join('');
  const unknown = loose.replace(/[ims]/g, '');
  if (unknown) return { ok: false, message: `Unknown flags: ${unknown}.` };

  const strict = nativeExpression(rest, `${loose}u`);
  if (strict.ok) return { ok: true, pattern: linearOrBacktracking(rest, loose, strict.expression) };
  const re2 = re2Expression(rest, loose);
  if (re2) return { ok: true, pattern: linear(re2) };
  const lenient = wanted.has('u') || NEEDS_UNICODE.test(rest) ? strict : nativeExpression(rest, loose);
  return lenient.ok ? { ok: true, pattern: backtrack(lenient.expression) } : { ok: false, message: strict.message };
}

function linearOrBacktracking(source: string, flags: string, expression: RegExp): Pattern {
  const translated = toRe2(source, flags);
  const re2 = translated === undefined ? undefined : re2Expression(translated, flags);
  return re2 ? linear(re2) : backtrack(expression);
}

function linear(expression: RE2JS): Pattern {
  return { linear: true, test: (text) => expression.test(text) };
}

function re2Expression(source: string, flags: string): RE2JS | undefined {
  let bits = 0;
  if (flags.includes('i')) bits |= RE2JS.CASE_INSENSITIVE;
  if (flags.includes('m')) bits |= RE2JS.MULTILINE;
  if (flags.includes('s')) bits |= RE2JS.DOTALL;
  try {
    return RE2JS.compile(source, bits);
  } catch {
    return undefined;
  }
}

type NativeResult = { readonly ok: true; readonly expression: RegExp } | { readonly ok: false; readonly message: string };

function nativeExpression(source: string, flags: string): NativeResult {
  try {
    return { ok: true, expression: new RegExp(source, flags) };
  } catch (error) {
    return { ok: false, message: error instanceof Error ? error.message : String(error) };
  }
}
