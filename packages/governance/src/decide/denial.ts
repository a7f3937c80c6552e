import type { Verdict } from '../events.js';
import { asciiJson } from '../payload/ascii.js';

/** What the agent gets in place of a result when a call is denied (V-4): ASCII, and no name of a rule in it. */
export function denialPayload(verdict: Verdict): string {
  return asciiJson({ decision: 'deny', reason: reasonOf(verdict) });
}

/** The reasons of the rules that decided, in one text. */
export function reasonOf({ decision, hits }: Verdict): string {
  return [...new Set(hits.filter((hit) => hit.decision === decision).map(({ reason }) => reason))].join(' ');
}
