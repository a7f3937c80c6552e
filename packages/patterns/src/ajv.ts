import { compilePattern } from './compile.js';

/** A pattern ran out of its second, so that nobody knows whether the text matches. Not a verdict: whoever validates must say so. */
export class PatternTimeout extends Error {
  override readonly name = 'PatternTimeout';

  constructor(source: string) {
    super(`The pattern ${JSON.stringify(source)} ran out of time.`);
  }
}

/**
 * For ajv's option `code.regExp` (K-5). Throws a SyntaxError for an invalid pattern while a schema is compiled. A test that
 * runs out of time throws `PatternTimeout` out of the validation: false would let `not` and `patternProperties` pass, and
 * true would let `pattern` pass.
 */
export const ajvRegExp = Object.assign(
  (source: string, flags: string): { test(text: string): boolean; toString(): string } => {
    const compiled = compilePattern(source, flags);
    if (!compiled.ok) throw new SyntaxError(compiled.message);
    return {
      // ajv takes two patterns with the same `toString` for one.
      toString: () => `/${source}/${flags}`,
      test(text) {
        const found = compiled.pattern.test(text);
        if (found === 'timed-out') throw new PatternTimeout(source);
        return found;
      },
    };
  },
  { code: 'require("@gated-flow/patterns").ajvRegExp' },
);

/** What every schema is compiled with: all faults are told, only what a value itself holds counts, patterns take linear time. */
export const AJV_OPTIONS = {
  strict: false,
  allErrors: true,
  logger: false,
  ownProperties: true,
  inlineRefs: false,
  code: { regExp: ajvRegExp },
} as const;

/** As much of a fault as its words take. */
interface AjvFault {
  readonly keyword: string;
  readonly params: Readonly<Record<string, unknown>>;
  readonly message?: string | undefined;
}

/** A sentence without a full stop: ajv's own words, but where they leave out what would help most. Not escaped. */
export function ajvWords({ keyword, params, message = 'does not match' }: AjvFault): string {
  switch (keyword) {
    case 'enum':
      return `must be one of ${valuesOf(params['allowedValues'])}`;
    case 'const':
      return `must be ${JSON.stringify(params['allowedValue'])}`;
    case 'additionalProperties':
      return `must not have the property ${JSON.stringify(params['additionalProperty'])}`;
    case 'unevaluatedProperties':
      return `must not have the property ${JSON.stringify(params['unevaluatedProperty'])}`;
    case 'propertyNames':
      return `must not have the property ${JSON.stringify(params['propertyName'])}`;
    default:
      return message;
  }
}

/** Plain words as they are, everything else as JSON. */
function valuesOf(values: unknown): string {
  if (!Array.isArray(values)) return JSON.stringify(values);
  return values.map((value: unknown) => (typeof value === 'string' && /^[\w-]+$/.test(value) ? value : JSON.stringify(value))).join(', ');
}
