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
  if (milliseconds !== undefined) return Math.max(0, milliseconds);
  const written = own(headers, 'retry-after');
  const seconds = numberIn(written);
  if (seconds !== undefined) return Math.max(0, seconds * 1000);
  const date = typeof written === 'string' ? Date.parse(written) : Number.NaN;
  return Number.isNaN(date) ? undefined : Math.max(0, date - clock.now());
}

function numberIn(written: unknown): number | undefined {
  if (typeof written !== 'string' || written.trim() === '') return undefined;
  const value = Number(written);
  return Number.isFinite(value) ? value : undefined;
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
