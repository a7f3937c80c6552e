import type { Clock } from '../../ports/clock.js';
import type { FailedTurn, ModelRequest } from '../../ports/model.js';
import { failureOf } from '../failure.js';
import { isObject, own, parsed } from '../json.js';
import type { Gathered } from './answer.js';
import { retryAfter } from './retry-after.js';
import { ELSEWHERE, PAGE } from './transport.js';

export type Failed = Pick<FailedTurn, 'failure' | 'message' | 'status' | 'retryAfterMs'>;

/** What went wrong with a call, from whatever the library threw or streamed (L-4). */
export function faultOf(error: unknown, clock: Clock): Failed {
  const status = statusOf(error);
  const message = wordsOf(error);
  const retryAfterMs = retryAfter(error, clock);
  return {
    failure: ours(error) ? 'permanent' : failureOf(status, message),
    message,
    ...(status === undefined ? {} : { status }),
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
  };
}

/** The library would not even send the request, or no model stands at the address, or another server; the same request meets the same end. */
function ours(error: unknown): boolean {
  return (
    error instanceof Error &&
    ['AI_InvalidPromptError', 'AI_InvalidArgumentError', 'AI_UnsupportedFunctionalityError', PAGE, ELSEWHERE].includes(error.name)
  );
}

/** Kinds of errors that come inside a stream, after the status was sent. */
const STATUS_OF_KIND: Readonly<Record<string, number>> = {
  ...{ invalid_request_error: 400, authentication_error: 401, billing_error: 402, permission_error: 403, not_found_error: 404 },
  ...{ request_too_large: 413, rate_limit_error: 429, api_error: 500, timeout_error: 504, overloaded_error: 529 },
};

function statusOf(error: unknown): number | undefined {
  if (!isObject(error)) return undefined;
  const sent = own(error, 'statusCode');
  const kind = kindOf(error) ?? kindOf(parsed(own(error, 'responseBody')));
  const streamed = kind === undefined || !Object.hasOwn(STATUS_OF_KIND, kind) ? undefined : STATUS_OF_KIND[kind];
  if (typeof sent !== 'number') return streamed;
  return sent < 300 || (sent === 500 && streamed !== undefined) ? streamed : sent;
}

function kindOf(value: unknown): string | undefined {
  if (!isObject(value)) return undefined;
  const inner = own(value, 'error');
  const kind = isObject(inner) ? own(inner, 'type') : own(value, 'type');
  return typeof kind === 'string' ? kind : undefined;
}

/** The provider's own words; the raw answer where the library understood none of it. */
function wordsOf(error: unknown): string {
  if (typeof error === 'string') return error;
  if (!isObject(error)) return String(error);
  const message = own(error, 'message');
  const words = typeof message === 'string' && message !== '' ? message : JSON.stringify(error);
  const body = own(error, 'responseBody');
  const unread = own(error, 'data') === undefined && typeof body === 'string' && body !== '' && !words.includes(body);
  const parts = [words, ...(unread ? [body] : [])];
  for (const reason of causesOf(error)) if (reason !== '' && !parts.some((part) => part.includes(reason))) parts.push(reason);
  return parts.join(': ');
}

/** What lies below an error, outermost first: a proxy's refusal stands three errors deep. */
function causesOf(error: object): readonly string[] {
  const reasons: string[] = [];
  for (let cause = deeper(error); cause !== undefined && reasons.length < 5; cause = deeper(cause)) reasons.push(cause.message);
  return reasons;
}

function deeper(error: object): Error | undefined {
  return error instanceof Error && error.cause instanceof Error ? error.cause : undefined;
}

/** A stream that is no answer: cut short, ended by the provider's own trouble or by its filter, or with the model full. */
export function noAnswer(ended: Extract<Gathered, { gathered: 'none' }>['ended'], words: string): Failed {
  switch (ended.ended) {
    case 'truncated':
      return { failure: 'transient', message: "The provider's answer ended before it was finished." };
    case 'broken':
      return { failure: 'transient', message: ended.message };
    case 'spent':
      return { failure: 'context', message: ended.message };
    case 'withheld':
      return { failure: 'permanent', message: [ended.message, words.trim()].filter((part) => part !== '').join(' It had said: ') };
  }
}

/** A conversation that is too long for its model: what was sent, beside what the provider says of its limit (L-4). */
export function withSizes(failed: Failed, { system, messages, tools }: ModelRequest): Failed {
  if (failed.failure !== 'context') return failed;
  const bytes = Buffer.byteLength(JSON.stringify({ system, messages, tools }));
  return { ...failed, message: `${failed.message} (The conversation is ${messages.length} messages, ${bytes} bytes.)` };
}
