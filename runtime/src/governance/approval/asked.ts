/** A request for leave as it is kept in the home and shown to whoever may give it: no secret and no blob in it (V-5, V-11). */
import { argumentsHash, wellFormedValue, withoutBlobs } from '@gated-flow/governance';
import type { AuthorizationRequest } from '@gated-flow/governance';

export interface AskedLeave {
  readonly id: string;
  readonly run: string;
  /** RFC 3339. */
  readonly at: string;
  readonly stage: string;
  readonly tool: string;
  /** For people: bounded, redacted, media named. The hash is over what was really given. */
  readonly arguments: unknown;
  readonly arguments_sha256: string;
  readonly assembly: string;
  readonly nth: number;
  readonly event_hash: string;
  readonly target: string;
  readonly scope: string;
  readonly risks: string;
  readonly recovery: string;
  readonly rules: readonly string[];
}

export interface KeptRequest extends AskedLeave {
  /** How long leave holds once it is given. */
  readonly expires_seconds: number;
}

interface About {
  readonly id: string;
  readonly run: string;
  readonly at: Date;
  clean<T>(value: T): T;
}

export function askedOf(request: AuthorizationRequest, { id, run, at, clean }: About): AskedLeave {
  const { arguments: given, ...bound } = request;
  const shown = clean(withoutBlobs(wellFormedValue(given)));
  return { ...{ id, run, at: at.toISOString() }, ...bound, arguments: bounded(shown), arguments_sha256: argumentsHash(given) };
}

/** Of each text; the whole is in the stage's session. */
const MAX_TEXT = 8 * 1024;

function bounded(value: unknown): unknown {
  if (typeof value === 'string')
    return value.length <= MAX_TEXT ? value : `${value.slice(0, MAX_TEXT)}… [${value.length} characters, the rest is not shown]`;
  if (Array.isArray(value)) return value.slice(0, 200).map(bounded);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .slice(0, 200)
      .map(([key, inner]) => [key, bounded(inner)]),
  );
}
