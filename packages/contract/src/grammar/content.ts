import { parseYaml } from '@gated-flow/yaml';
import { compilePattern } from '@gated-flow/patterns';
import type { Content } from '../facts.js';
import { contentOf } from '../facts.js';
import { amount, comparisonOf } from './comparison.js';
import { lengthPredicate } from './measure.js';
import type { Subject, Unit } from './measure.js';
import { LITERALS, NOT, SUBJECT, sentence } from './pieces.js';
import type { Decision, Predicate } from './predicate.js';
import { decided, negated, unknown } from './predicate.js';
import { literalsIn } from './sentence.js';
import type { Found, Phrase } from './table.js';

const out = (text: string): { readonly output: Content } => ({ output: { text } });
const UNIT = '(?<unit>characters?|words?|lines?|bytes?|tokens?)';

export const aboutContent: readonly Phrase[] = [
  {
    form: '[input|output] is non-empty|not empty|empty',
    meaning: 'Empty means without a single byte.',
    patterns: [sentence(SUBJECT, '(?:is|be) (?<not>non-?empty|not empty)'), sentence(SUBJECT, NOT, '(?:is|be) empty')],
    make: ({ groups, subject }) => {
      const empty = contentPredicate(subjectOf(groups, subject), (content, what) =>
        decided(content.text === '', `the ${what} is ${content.text === '' ? '' : 'not '}empty`),
      );
      return groups['not'] === undefined ? empty : negated(empty);
    },
    examples: [
      { text: 'output is non-empty', isTrue: out(' '), isFalse: out('') },
      { text: 'input is not empty', isTrue: { input: { text: 'x' } }, isFalse: { input: { text: '' } } },
    ],
  },
  {
    form: '[input|output] length is|has|is AMOUNT characters|words|lines|bytes|tokens',
    meaning: 'AMOUNT is at least, at most, more than, less than, exactly N, or between N and M. Without a unit a length is in characters.',
    unit: 'characters are code points; words are what white space separates; tokens that nobody reported are estimated at four bytes each',
    patterns: [
      sentence(SUBJECT, String.raw`length (?:is |be )?`, amount(), `(?: ${UNIT})?`),
      sentence(SUBJECT, String.raw`(?:has|have|is|be|contains?|stays|uses?) `, amount(), ` ${UNIT}(?: long)?`),
      sentence(SUBJECT, amount(), ` ${UNIT}(?: long)?`),
    ],
    make: ({ groups, subject }) => lengthPredicate(subjectOf(groups, subject), unitOf(groups['unit']), comparisonOf(groups)),
    examples: [
      { text: 'output length is greater than 0', isTrue: out('x'), isFalse: out('') },
      { text: 'output has at most 3 words', isTrue: out('one two  three'), isFalse: out('one two three four') },
      { text: 'response is between 2 and 4 characters long', isTrue: out('é😀'), isFalse: out('é') },
      { text: 'output has at most 2 lines', isTrue: out('a\nb\n'), isFalse: out('a\nb\nc') },
      { text: 'output has less than 3 bytes', isTrue: out('é'), isFalse: out('éa') },
      { text: 'output has at most 10 tokens', isTrue: { ...out('x'), outputTokens: 10 }, isFalse: { ...out('x'), outputTokens: 11 } },
    ],
  },
  {
    form: '[input|output] [does not] contain[s] [any of|all of] "TEXT", "TEXT" [ignoring case]',
    meaning: 'The text stands in quotes. Of several, all have to be there unless it says "any of" or "or".',
    patterns: [
      sentence(
        SUBJECT,
        NOT,
        String.raw`(?:contains?|includes?|mentions?|says?) (?:(?<which>any|one|all|both) of )?(?<literals>${LITERALS})(?<folded> ignoring case)?`,
      ),
    ],
    make: contains,
    examples: [
      { text: 'output contains "ticket"', isTrue: out('a ticket'), isFalse: out('a Ticket') },
      { text: 'response does not contain "password" ignoring case', isTrue: out('word'), isFalse: out('PassWord') },
      { text: 'output contains any of "yes", "no"', isTrue: out('no'), isFalse: out('maybe') },
      { text: 'output does not contain "a" or "b"', isTrue: out('c'), isFalse: out('cb') },
    ],
  },
  {
    form: '[input|output] [does not] start[s]|end[s] with "TEXT"',
    meaning: 'Exactly this text, white space included.',
    patterns: [sentence(SUBJECT, NOT, String.raw`(?<edge>starts?|begins?|ends?) with (?<literals>${LITERALS})`)],
    make: ({ groups, literals, subject }) => {
      const texts = literalsIn(groups['literals'], literals).map(({ text }) => text);
      if (texts.includes('')) return NO_TEXT;
      const atEnd = (groups['edge'] ?? '').toLowerCase().startsWith('end');
      const edge = contentPredicate(subjectOf(groups, subject), ({ text }, what) => {
        const is = texts.some((each) => (atEnd ? text.endsWith(each) : text.startsWith(each)));
        return decided(is, `the ${what} ${is ? '' : 'does not '}${atEnd ? 'end' : 'start'}${is ? 's' : ''} with it`);
      });
      return groups['not'] === undefined ? edge : negated(edge);
    },
    examples: [
      { text: 'output starts with "#"', isTrue: out('# Title'), isFalse: out(' # Title') },
      { text: 'output does not end with "?"', isTrue: out('So.'), isFalse: out('So?') },
    ],
  },
  {
    form: '[input|output] [does not] match[es] /PATTERN/',
    meaning: 'The expression is found anywhere in the text. It runs in linear time; with look-around or back references, in one second.',
    patterns: [sentence(SUBJECT, NOT, String.raw`match(?:es)? (?<literals>${LITERALS})`)],
    make: matches,
    examples: [
      { text: String.raw`output matches /^\d+$/`, isTrue: out('42'), isFalse: out('x42') },
      { text: 'output does not match /secret|token/i', isTrue: out('fine'), isFalse: out('a SECRET') },
    ],
  },
  {
    form: '[input|output] is valid UTF-8|JSON|YAML',
    meaning: 'JSON by RFC 8259, one document; YAML 1.2, strictly.',
    patterns: [sentence(SUBJECT, NOT, String.raw`(?:is|are|be) (?<isnot>not )?valid (?<format>utf-?8|json|yaml)`)],
    make: ({ groups, subject }) => {
      const format = (groups['format'] ?? '').toUpperCase().replace('UTF8', 'UTF-8');
      const valid = contentPredicate(subjectOf(groups, subject), (content, what) => {
        const is = isValid(content, format);
        return decided(is, `the ${what} is ${is ? '' : 'not '}valid ${format}`);
      });
      return (groups['not'] === undefined) === (groups['isnot'] === undefined) ? valid : negated(valid);
    },
    examples: [
      { text: 'output is valid UTF-8', isTrue: out('é'), isFalse: { output: contentOf(new Uint8Array([0x61, 0xff])) } },
      { text: 'output is valid JSON', isTrue: out('{"a": 1}'), isFalse: out('{a: 1}') },
      { text: 'output is valid YAML', isTrue: out('a: 1'), isFalse: out('a: 1\na: 2') },
    ],
  },
];

function contentPredicate(subject: Subject, decide: (content: Content, what: Subject) => Decision): Predicate {
  return {
    about: subject,
    becomes: 'either',
    decide: (facts) => {
      const content = facts[subject];
      return content === null ? unknown(`there is no ${subject}`) : decide(content, subject);
    },
  };
}

function subjectOf(groups: Found['groups'], otherwise: Subject): Subject {
  const named = groups['subject']?.toLowerCase();
  if (named === undefined) return otherwise;
  return named === 'input' || named === 'request' || named === 'prompt' ? 'input' : 'output';
}

function unitOf(written: string | undefined): Unit {
  const units: readonly Unit[] = ['characters', 'words', 'lines', 'bytes', 'tokens'];
  return units.find((unit) => unit.startsWith((written ?? 'characters').toLowerCase().replace(/s$/, ''))) ?? 'characters';
}

/** Every text contains nothing: such a clause would pass, or fail, in silence. */
const NO_TEXT = 'There is no text between the quotes.';

function contains({ groups, literals, subject }: Found): Predicate | string {
  const fold = (text: string): string => (groups['folded'] === undefined ? text : text.toLowerCase());
  const texts = literalsIn(groups['literals'], literals).map(({ text }) => fold(text));
  if (texts.includes('')) return NO_TEXT;
  const any = /any|one/i.test(groups['which'] ?? '') || / or /i.test(groups['literals'] ?? '') || groups['not'] !== undefined;
  const found = contentPredicate(subjectOf(groups, subject), (content, what) => {
    const text = fold(content.text);
    const is = any ? texts.some((each) => text.includes(each)) : texts.every((each) => text.includes(each));
    return decided(is, `the ${what} ${is ? 'contains' : 'does not contain'} it`);
  });
  const one = any || texts.length === 1 ? { ...found, ...expressionFor(texts, groups['folded'] !== undefined) } : found;
  return groups['not'] === undefined ? one : negated(one);
}

/** What `toLowerCase` finds, exactly: the flag `i` folds other letters too, so every letter is spelt out. Beyond ASCII there is none. */
function expressionFor(texts: readonly string[], folded: boolean): Pick<Predicate, 'trueWhere'> {
  if (folded && texts.some((text) => /[^\x00-\x7f]/.test(text))) return {};
  const quoted = texts.map((text) => text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&'));
  return { trueWhere: { source: (folded ? quoted.map(anyCase) : quoted).join('|'), flags: '' } };
}

/** The Kelvin sign is a k, and the capital I with a dot begins with an i. */
function anyCase(quoted: string): string {
  return quoted.replace(/[a-z]/g, (letter, at: number) => {
    const other = letter === 'k' ? '\u212a' : letter === 'i' && at === quoted.length - 1 ? '\u0130' : '';
    return `[${letter}${letter.toUpperCase()}${other}]`;
  });
}

function matches({ groups, literals, subject }: Found): Predicate | string {
  const [literal, ...others] = literalsIn(groups['literals'], literals);
  if (literal === undefined || others.length > 0) return 'It takes one expression.';
  const compiled = compilePattern(literal.text, literal.flags ?? '');
  if (!compiled.ok) return `The expression cannot be used: ${compiled.message}`;
  const found = contentPredicate(subjectOf(groups, subject), ({ text }, what) => {
    const is = compiled.pattern.test(text);
    if (is === 'timed-out') return { is: 'fault', because: `the expression ran out of its second on the ${what}` };
    return decided(is, `the ${what} ${is ? 'matches' : 'does not match'}`);
  });
  const one = { ...found, trueWhere: { source: literal.text, flags: literal.flags ?? '' } };
  return groups['not'] === undefined ? one : negated(one);
}

function isValid({ text, bytes }: Content, format: string): boolean {
  if (bytes !== undefined) return false;
  if (format === 'UTF-8') return !/\p{Surrogate}/u.test(text);
  if (format === 'YAML') return parseYaml(text).ok;
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
