import { hash } from 'node:crypto';
import canonicalize from 'canonicalize';

/** One call of a tool: what leave is bound to (V-5). */
export interface BoundCall {
  /** The hash of the assembly the run was made from. */
  readonly assembly: string;
  /** The path of the stage in it. */
  readonly stage: string;
  readonly tool: string;
  /** As the agent gave them: a JSON value. */
  readonly arguments: unknown;
  /** The how-manieth call that is identical in all of the above; the first is 1. */
  readonly nth: number;
}

/** Lower-case hex SHA-256 over the call's RFC 8785 form (V-5). */
export function eventHash({ assembly, stage, tool, arguments: given, nth }: BoundCall): string {
  return hash('sha256', canonical({ assembly, stage, tool, arguments: given, nth }));
}

/** The same over the arguments alone: what a record may keep of them. */
export function argumentsHash(given: unknown): string {
  return hash('sha256', canonical(given));
}

/** What is equal for identical calls, so that they can be counted. */
export function callKey({ assembly, stage, tool, arguments: given }: Omit<BoundCall, 'nth'>): string {
  return hash('sha256', canonical({ assembly, stage, tool, arguments: given }));
}

/** RFC 8785 has no form for a lone surrogate: it is spelled out behind U+FFFD, so that different arguments stay different. */
function canonical(value: unknown): string {
  return canonicalize(spelledOut(value)) ?? 'null';
}

function spelledOut(value: unknown): unknown {
  if (typeof value === 'string') return value.replace(/\p{Surrogate}/gu, (unit) => `\uFFFD${unit.charCodeAt(0).toString(16)}`);
  if (Array.isArray(value)) return value.map(spelledOut);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [spelledOut(key), spelledOut(inner)]));
}
