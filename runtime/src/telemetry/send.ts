/** Sends a trace to a collector, within a bound, and says in a sentence what became of it (I-10). */
import type { Clock } from '../ports/clock.js';
import type { Settings } from './settings.js';

/** One request. Rejects when there was no answer. */
export type Post = (
  url: string,
  request: { readonly headers: Readonly<Record<string, string>>; readonly body: string; readonly signal: AbortSignal },
) => Promise<PostAnswer>;

export interface PostAnswer {
  readonly status: number;
  /** Seconds to wait; null when the collector did not say. */
  readonly retryAfter: number | null;
  /** How many spans the collector says it did not take. */
  readonly rejected: number;
}

export interface Sending {
  readonly settings: Settings;
  readonly post: Post;
  readonly clock: Clock;
}

const FIRST_PAUSE_MS = 250;
/** How often a collector that cannot be reached is tried; one that answers that it is busy is tried as long as there is time. */
const UNREACHED_TRIES = 3;
const PASSING = new Set([429, 502, 503, 504]);

/** Null when all was taken; else a sentence without a secret. Never rejects, and never takes longer than the settings say. */
export async function sendTrace(
  requests: AsyncIterable<{ readonly body: string; readonly spans: number }>,
  { settings, post, clock }: Sending,
): Promise<string | null> {
  const until = clock.elapsed() + settings.timeoutMs;
  const bound = new AbortController();
  const cancel = clock.after(settings.timeoutMs, () => bound.abort());
  let sent = 0;
  let rejected = 0;

  async function send(body: string): Promise<string | null> {
    for (let tries = 1, pause = FIRST_PAUSE_MS; ; tries += 1, pause *= 2) {
      const answer = await post(settings.url, { headers: headersOf(settings), body, signal: bound.signal }).catch(reasonOf);
      if (bound.signal.aborted) return TOO_SLOW;
      if (typeof answer !== 'string' && answer.status >= 200 && answer.status < 300) {
        rejected += answer.rejected;
        return null;
      }
      const why = typeof answer === 'string' ? answer : `it answered ${answer.status}`;
      const passing = typeof answer === 'string' ? tries < UNREACHED_TRIES : PASSING.has(answer.status);
      const wait = typeof answer === 'string' || answer.retryAfter === null ? pause : answer.retryAfter * 1_000;
      if (!passing || clock.elapsed() + wait >= until) return why;
      await clock.sleep(wait, bound.signal);
    }
  }

  async function sendAll(): Promise<string | null> {
    for await (const { body, spans } of requests) {
      const why = bound.signal.aborted ? TOO_SLOW : await send(body);
      if (why !== null) return `${sent === 0 ? 'No traces were sent' : `Only ${sent} spans were sent`} to ${settings.shown}: ${why}.`;
      sent += spans;
    }
    return rejected === 0 ? null : `The collector at ${settings.shown} did not take ${rejected} of ${sent} spans.`;
  }

  try {
    return await sendAll();
  } catch (error) {
    return `No traces were sent: ${reasonOf(error)}.`;
  } finally {
    cancel();
  }
}

const TOO_SLOW = 'the collector took too long';

function headersOf({ headers }: Settings): Record<string, string> {
  return { 'content-type': 'application/json', ...Object.fromEntries(headers.map(([name, value]) => [name.toLowerCase(), value])) };
}

/** The system's word for it, which names no header. */
function reasonOf(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  if (cause instanceof Error && 'code' in cause && typeof cause.code === 'string') return `it cannot be reached (${cause.code})`;
  return cause instanceof Error ? (cause.name === 'AbortError' ? TOO_SLOW : 'it cannot be reached') : 'it cannot be reached';
}
