import type { Action, Clause, ClauseType, Place } from '../contract.js';
import type { RunFacts } from '../facts.js';
import type { Check, Verdict } from './check.js';

/** One clause that was broken: the seed's report of a violation, and what only its reader may see. */
export interface Violation {
  readonly clause_type: ClauseType;
  readonly clause_name: string;
  readonly clause_text: string;
  readonly severity: Action;
  readonly action_taken: Action;
  readonly judge: 'deterministic' | 'llm';
  /** Why, without a piece of the input or the output. */
  readonly details: string;
  /** In a judge's, a plugin's or a validator's own words. May quote the output: never in the audit. */
  readonly reason?: string;
  readonly description?: string;
  readonly origin: Place;
}

/** A clause nobody could judge. Listed, never passed (C-4). */
export interface Unevaluated {
  readonly clause_type: ClauseType;
  readonly clause_name: string;
  readonly clause_text: string;
  readonly reason: string;
}

export interface Findings {
  readonly violations: readonly Violation[];
  readonly unevaluated: readonly Unevaluated[];
}

export interface FindingOptions {
  /** `fail`: what nobody could judge is a violation. */
  readonly unevaluated?: 'report' | 'fail';
}

/** Judges the checks in their order. Answers at once when no judge or plugin has to be waited for: a log may have a million runs. */
export function findingsOf(checks: readonly Check[], facts: RunFacts, options: FindingOptions = {}): Findings | Promise<Findings> {
  const found: Found = { violations: [], unevaluated: [] };
  for (const [index, check] of checks.entries()) {
    const verdict = check.judge(facts);
    if (verdict instanceof Promise) return theRest({ checks, index, waiting: verdict, found }, facts, options);
    add(found, check, verdict, options);
  }
  return found;
}

interface Found {
  readonly violations: Violation[];
  readonly unevaluated: Unevaluated[];
}

interface Waiting {
  readonly checks: readonly Check[];
  readonly index: number;
  readonly waiting: Promise<Verdict>;
  readonly found: Found;
}

async function theRest({ checks, index, waiting, found }: Waiting, facts: RunFacts, options: FindingOptions): Promise<Findings> {
  for (const [at, check] of checks.entries()) {
    if (at < index) continue;
    add(found, check, at === index ? await waiting : await check.judge(facts), options);
  }
  return found;
}

/** Adds a verdict to what was found: the one place where a verdict becomes a report. */
function add(found: Found, check: Check, verdict: Verdict, { unevaluated = 'report' }: FindingOptions): void {
  if (verdict.is === 'passed') return;
  if (verdict.is === 'violated') {
    found.violations.push(violationOf(check, verdict));
    return;
  }
  const { type, name, text } = check.clause;
  found.unevaluated.push({ clause_type: type, clause_name: name, clause_text: text, reason: verdict.reason });
  if (unevaluated === 'fail') {
    found.violations.push(violationOf(check, { is: 'violated', details: `unevaluated: ${verdict.reason}` }));
  }
}

export function violationOf({ clause, when }: Check, verdict: Extract<Verdict, { is: 'violated' }>): Violation {
  const severity: Action = verdict.softened ? 'warn' : clause.severity;
  const { file, line, column } = clause.origin;
  return {
    clause_type: clause.type,
    clause_name: clause.name,
    clause_text: clause.text,
    severity,
    action_taken: severity,
    judge: when === 'judge' ? 'llm' : 'deterministic',
    details: verdict.details,
    ...(verdict.reason === undefined ? {} : { reason: verdict.reason }),
    ...descriptionOf(clause),
    origin: { file, line, column },
  };
}

function descriptionOf({ description }: Clause): { readonly description?: string } {
  return description === undefined ? {} : { description };
}
