import type { Clock } from '../../ports/clock.js';
import { isObject, own, parsed } from '../json.js';

/** Milliseconds from now that a refused request should wait, as the provider said it in a header or, Google, in its answer; a date that has passed is zero (L-4). */
export function retryAfter(error: unknown, clock: Clock): number | undefined {
  if (!isObject(error)) return undefined;
  const headers = own(error, 'responseHeaders');
  return (isObject(headers) ? inHeaders(headers, clock) : undefined) ?? inBody(parsed(own(error, 'responseBody')));
}

function inHeaders(headers: Readonly<Record<string, unknown>>, clock: Clock): number | undefined {
  const milliseconds = numberIn(own(headers, 'retry-after-ms'));
  if (milliseconds !== undefined) return milliseconds;
  const written = own(headers, 'retry-after');
  const seconds = numberIn(written);
  if (seconds !== undefined) return seconds * 1000;
  const date = typeof written === 'string' && DATE.test(written) ? Date.parse(written) : Number.NaN;
  return Number.isNaN(date) ? undefined : Math.max(0, date - clock.now());
}

/** A date of HTTP begins with its day. `Date.parse` alone would take `3, 9` for one. */
const DATE = /^\s*(?:mon|tue|wed|thu|fri|sat|sun)/i;

/** What is no plain number, also a negative one, says nothing. */
function numberIn(written: unknown): number | undefined {
  return typeof written === 'string' && /^\s*\d+(?:\.\d+)?\s*$/.test(written) ? Number(written) : undefined;
}

/** `{"error": {"details": [{"retryDelay": "34.5s"}]}}` */
function inBody(body: unknown): number | undefined {
  const error = isObject(body) ? own(body, 'error') : undefined;
  const details: unknown = isObject(error) ? own(error, 'details') : undefined;
  if (!Array.isArray(details)) return undefined;
  const delays = details.filter(isObject).map((detail) => own(detail, 'retryDelay'));
  const delay = delays.find((value) => typeof value === 'string');
  const seconds = typeof delay === 'string' ? /^(\d+(?:\.\d+)?)s$/.exec(delay)?.[1] : undefined;
  return seconds === undefined ? undefined : Number(seconds) * 1000;
}
