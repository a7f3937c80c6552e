import { compilePattern } from '@gated-flow/patterns';
import type { Pattern } from '@gated-flow/patterns';
import type { Check } from '../evaluate/check.js';
import type { Violation } from '../evaluate/findings.js';
import { violationOf } from '../evaluate/findings.js';
import type { PreparedContract } from '../evaluate/prepare.js';
import { reachOf } from './longest-match.js';
import type { Reach } from './longest-match.js';

/** What may be delivered now, or the violation that ends the stream. After a violation nothing more is delivered. */
export type Guarded = { readonly ok: true; readonly deliver: string } | { readonly ok: false; readonly violation: Violation };

/** Holds a stream of text back just as far as a forbidden match could reach (C-12). */
export interface StreamGuard {
  push(text: string): Guarded;
  /** The end of the text: what was held back, or the violation in it. */
  end(): Guarded;
}

/**
 * A guard by what the contract forbids and a pattern finds: assertions with `must_not_match`, and sentences such as
 * `must_not: contain "TEXT"`, whose action withholds. No character of a match is ever
 * delivered. A pattern of bounded length holds back that many characters; one without a bound (`.*`, look-around) holds the
 * whole text back to its end, since anything less could deliver the beginning of a match.
 */
export function guardStream({ checks }: PreparedContract): StreamGuard {
  const forbidden = checks.flatMap(forbiddenIn);
  const window = forbidden.reduce((widest, { margin }) => Math.max(widest, margin), 0);
  let text = '';
  let delivered = 0;
  /** A match at the end that more text could undo: nothing is delivered until the text is whole. */
  let suspicious = false;
  let ended: Guarded | null = null;

  return {
    push(more) {
      if (ended) return ended;
      const from = text.length;
      text += more;
      for (const each of forbidden) {
        if (!isFoundSince(each, from)) continue;
        if (!each.reach.looksAhead) return (ended = { ok: false, violation: violation(each, true) });
        suspicious = true;
      }
      return { ok: true, deliver: suspicious ? '' : release(text.length - window) };
    },
    end() {
      if (ended) return ended;
      for (const each of forbidden) {
        const found = each.pattern.test(text);
        if (found !== false) return (ended = { ok: false, violation: violation(each, found) });
      }
      return { ok: true, deliver: release(text.length) };
    },
  };

  function release(until: number): string {
    if (until <= delivered) return '';
    const piece = text.slice(delivered, until);
    delivered = until;
    return piece;
  }

  /** A match that ends behind `from`. Only the end of the text is looked at; what is found there is confirmed in the whole. */
  function isFoundSince({ pattern, margin }: Forbidden, from: number): boolean {
    if (margin === Number.POSITIVE_INFINITY) return false;
    const tail = Math.max(0, from - margin - 1);
    return pattern.test(text.slice(tail)) === true && (tail === 0 || pattern.test(text) === true);
  }
}

interface Forbidden {
  readonly check: Check;
  readonly pattern: Pattern;
  readonly reach: Reach;
  /** Characters at the end of a text in which a match could begin that is not yet whole. */
  readonly margin: number;
}

/** Whether a pattern alone decides that a clause which withholds is broken. */
export function forbids({ clause, forbidden }: Check): boolean {
  return forbidden !== null && clause.severity !== 'warn';
}

function forbiddenIn(check: Check): Forbidden[] {
  const { forbidden } = check;
  if (forbidden === null || !forbids(check)) return [];
  const compiled = compilePattern(forbidden.source, forbidden.flags);
  if (!compiled.ok) return [];
  const reach = reachOf(forbidden.source);
  return [{ check, pattern: compiled.pattern, reach, margin: reach.longest + (reach.looksAhead ? 1 : 0) }];
}

function violation({ check }: Forbidden, found: true | 'timed-out'): Violation {
  const details = found === true ? 'the output matches what must not match' : 'the pattern that must not match ran out of its second';
  return violationOf(check, { is: 'violated', details });
}
