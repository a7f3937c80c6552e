import type { Verdict } from '../events.js';
import { argumentsHash, eventHash } from './event-hash.js';
import type { BoundCall } from './event-hash.js';

/** What whoever grants is told first, and accepts. */
export interface Disclosure {
  readonly target: string;
  readonly scope: string;
  readonly risks: string;
  readonly recovery: string;
}

/** A call that waits for leave (V-5). */
export interface AuthorizationRequest extends BoundCall, Disclosure {
  readonly event_hash: string;
  /** The rules that ask for it. */
  readonly rules: readonly string[];
}

/** Leave for one call, as it is kept: of the arguments only their hash (V-5, V-11). */
export interface Authorization extends Disclosure {
  readonly id: string;
  readonly event_hash: string;
  readonly assembly: string;
  readonly stage: string;
  readonly tool: string;
  readonly arguments_sha256: string;
  readonly nth: number;
  /** RFC 3339. */
  readonly expires: string;
  /** Who grants. */
  readonly by: string;
  /** `host`: the program that runs it. */
  readonly via: 'terminal' | 'command' | 'page' | 'file' | 'host';
}

/** What whoever grants reads before they do (V-5). */
export const GRANT_SENTENCE = 'You accept this risk for this one call. Nobody certifies it as safe.';

/** The request of a call whose verdict is `require_approval`: the risks of every rule that asks. */
export function requestOf(call: BoundCall, { hits }: Verdict): AuthorizationRequest {
  const asking = hits.filter(({ decision }) => decision === 'require_approval');
  const joined = (texts: readonly (string | undefined)[], otherwise: string): string =>
    [...new Set(texts.flatMap((text) => text ?? []))].join('; ') || otherwise;
  return {
    ...call,
    event_hash: eventHash(call),
    target: joined(
      asking.map(({ target }) => target),
      call.tool,
    ),
    scope: joined(
      asking.map(({ scope }) => scope),
      'one call',
    ),
    risks: joined(
      asking.map(({ risks }) => risks),
      'not disclosed',
    ),
    recovery: joined(
      asking.map(({ recovery }) => recovery),
      'not disclosed',
    ),
    rules: asking.map(({ id }) => id),
  };
}

export interface Grant {
  readonly id: string;
  /** RFC 3339. */
  readonly expires: string;
  readonly by: string;
  readonly via: Authorization['via'];
}

/** Leave for exactly the request, as it was disclosed. */
export function grant(request: AuthorizationRequest, { id, expires, by, via }: Grant): Authorization {
  const { event_hash, assembly, stage, tool, nth, target, scope, risks, recovery } = request;
  const arguments_sha256 = argumentsHash(request.arguments);
  return { id, event_hash, assembly, stage, tool, arguments_sha256, nth, target, scope, risks, recovery, expires, by, via };
}

export type AuthorizationRefusal = 'foreign' | 'wrong-scope' | 'altered' | 'expired' | 'reused';

export type AuthorizationCheck =
  { readonly ok: true } | { readonly ok: false; readonly refusal: AuthorizationRefusal; readonly message: string };

/** What is known when leave is used: the time in milliseconds since 1970, and whether this leave was used before. */
export interface Moment {
  readonly nowMs: number;
  readonly used: boolean;
}

/** Whether the authorization covers this request, here and now (V-5). Using it up is for the caller, in one exclusive step. */
export function checkAuthorization(given: Authorization, request: AuthorizationRequest, { nowMs, used }: Moment): AuthorizationCheck {
  const refuse = (refusal: AuthorizationRefusal, message: string): AuthorizationCheck => ({ ok: false, refusal, message });
  if (given.assembly !== request.assembly)
    return refuse('foreign', 'The authorization was given for another assembly, or for another state of it.');
  if (given.stage !== request.stage)
    return refuse('wrong-scope', `The authorization is for the stage ${given.stage}, and not for ${request.stage}.`);
  if (given.tool !== request.tool)
    return refuse('wrong-scope', `The authorization is for the tool ${given.tool}, and not for ${request.tool}.`);
  if (given.target !== request.target || given.scope !== request.scope)
    return refuse(
      'wrong-scope',
      `The authorization is for ${given.target} (${given.scope}), and not for ${request.target} (${request.scope}).`,
    );
  if (given.arguments_sha256 !== argumentsHash(request.arguments))
    return refuse('altered', 'The arguments are not those that were granted.');
  if (given.risks !== request.risks || given.recovery !== request.recovery)
    return refuse('altered', 'The risks or the recovery are not those that were disclosed.');
  if (given.nth < request.nth)
    return refuse('reused', `The authorization is for call ${given.nth}, and this is call ${request.nth} of the same kind.`);
  if (given.nth > request.nth)
    return refuse('wrong-scope', `The authorization is for call ${given.nth}, and this is call ${request.nth} of the same kind.`);
  if (given.event_hash !== request.event_hash || request.event_hash !== eventHash(request))
    return refuse('altered', 'The event hash of the authorization is not that of the call.');
  if (used) return refuse('reused', 'The authorization was used before. It is for one call only.');
  const expires = Date.parse(given.expires);
  if (!(nowMs < expires)) return refuse('expired', `The authorization expired at ${given.expires}.`);
  return { ok: true };
}
