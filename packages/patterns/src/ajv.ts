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
  (source: string, flags: string): { test(text: string): boolean } => {
    const compiled = compilePattern(source, flags);
    if (!compiled.ok) throw new SyntaxError(compiled.message);
    return {
      test(text) {
        const found = compiled.pattern.test(text);
        if (found === 'timed-out') throw new PatternTimeout(source);
        return found;
      },
    };
  },
  { code: 'require("@gated-flow/patterns").ajvRegExp' },
);
