import { compilePattern } from '@gated-flow/patterns';
import type { Pattern } from '@gated-flow/patterns';

/** An expression of ours, compiled when it is first needed: most of a pack's are not asked in a run. It throws when it is none. */
export function lazyPattern(source: string): Pattern {
  let found: Pattern | undefined;
  const pattern = (): Pattern => (found ??= compiled(source));
  return {
    test: (text) => pattern().test(text),
    get linear() {
      return pattern().linear;
    },
  };
}

function compiled(source: string): Pattern {
  const result = compilePattern(source);
  if (!result.ok) throw new Error(`${source}: ${result.message}`);
  return result.pattern;
}
