import { compilePattern } from '@gated-flow/patterns';
import type { Demands } from './demands.js';
import { patternWriter, type PatternWriter } from './pattern.js';

/** A text of the format, pattern and length asked for. Lengths are code points. */
export function textFor(demands: Demands, nth: number): string {
  if (demands.patterns.length > 0) return patterned(demands, nth);
  const formatted = demands.format === undefined ? undefined : FORMATS[demands.format]?.(nth + 1);
  return formatted ?? fitted(nth === 0 ? 'rehearsal' : `rehearsal ${nth + 1}`, demands);
}

/** Repeats or cuts at the front, so that what tells the `nth` text from the others stays. */
function fitted(text: string, { shortest, longest }: Demands): string {
  const points = [...text];
  const length = Math.min(Math.max(points.length, shortest), longest, LONGEST);
  if (length <= points.length) return points.slice(points.length - length).join('');
  return 'rehearsal '.repeat(Math.ceil(length / 10)).slice(0, length - points.length) + text;
}

const LONGEST = 1_000_000;

/** Patterns of one text are tried one after the other as its maker; the first candidate that meets them all wins. */
function patterned(demands: Demands, nth: number): string {
  const tests = demands.patterns.map((source) => compilePattern(source));
  const meets = (text: string): boolean =>
    [...text].length >= demands.shortest &&
    [...text].length <= demands.longest &&
    tests.every((test) => !test.ok || test.pattern.test(text) === true);
  const makers = demands.patterns.flatMap((source) => patternWriter(source) ?? []);
  const tried = new Set<string>();
  let found = -1;
  let last: string | undefined;
  for (const candidate of candidates(makers, demands, nth)) {
    if (tried.has(candidate) || tried.size > MOST_TRIED) continue;
    tried.add(candidate);
    if (!meets(candidate)) continue;
    found += 1;
    last = candidate;
    if (found === nth) break;
  }
  return last ?? makers[0]?.({ extra: 1, nth: 0 }) ?? '';
}

const MOST_TRIED = 2000;
const EXTRA_REPEATS = 64;

function* candidates(makers: readonly PatternWriter[], demands: Demands, nth: number): Generator<string> {
  const plain = fitted('rehearsal', demands);
  const long = Math.min(demands.shortest, 4000);
  for (const extra of [1, 2, 0, long, Math.ceil(long / 2), ...Array.from({ length: EXTRA_REPEATS }, (_, index) => index + 3)]) {
    for (let way = 0; way <= nth + 3; way += 1) {
      for (const only of [undefined, 0, 1, 2]) {
        const texts = makers.map((make) => make({ extra, only, nth: way }));
        for (const text of texts) yield* [text, text + plain, plain + text];
        if (texts.length > 1) yield* [texts.join(plain), texts.toReversed().join(plain)];
      }
    }
  }
}

/** `nth` counts from 1 and makes texts differ. */
const FORMATS: Readonly<Record<string, (nth: number) => string>> = {
  'date-time': (nth) => `2026-01-01T00:00:${two(nth)}Z`,
  date: (nth) => `2026-01-${two(1 + (nth % 28))}`,
  time: (nth) => `00:00:${two(nth)}Z`,
  duration: (nth) => `PT${nth}S`,
  email: (nth) => `rehearsal${nth}@example.com`,
  'idn-email': (nth) => `rehearsal${nth}@example.com`,
  hostname: (nth) => `rehearsal${nth}.example.com`,
  'idn-hostname': (nth) => `rehearsal${nth}.example.com`,
  ipv4: (nth) => `192.0.2.${nth % 255}`,
  ipv6: (nth) => `2001:db8::${(nth % 65535).toString(16)}`,
  uri: (nth) => `https://example.com/rehearsal/${nth}`,
  url: (nth) => `https://example.com/rehearsal/${nth}`,
  iri: (nth) => `https://example.com/rehearsal/${nth}`,
  'uri-reference': (nth) => `/rehearsal/${nth}`,
  'iri-reference': (nth) => `/rehearsal/${nth}`,
  'uri-template': (nth) => `/rehearsal/${nth}`,
  uuid: (nth) => `00000000-0000-4000-8000-${nth.toString(16).padStart(12, '0')}`,
  'json-pointer': (nth) => `/rehearsal/${nth}`,
  'relative-json-pointer': (nth) => `${nth}`,
  regex: (nth) => `rehearsal${nth}`,
  byte: () => 'cmVoZWFyc2Fs',
};

function two(number: number): string {
  return String(number % 60).padStart(2, '0');
}
