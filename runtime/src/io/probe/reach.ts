import type { Environment } from '../../models/discovery.js';
import { isObject, own } from '../../models/json.js';
import { fetchThrough } from '../../models/provider/transport.js';
import type { Clock } from '../../ports/clock.js';
import type { Reached, ReachTarget } from '../../ports/probe.js';

const REACH_MS = 5000;
const ANSWER_BYTES = 4 << 20;

/** Asks once and waits five seconds, for the answer's last byte too. Never rejects. */
export async function reachServer(target: ReachTarget, { env, clock }: { env: Environment; clock: Clock }): Promise<Reached> {
  const controller = new AbortController();
  const late = new Promise<Reached>((resolve) => {
    const silent: Reached = { reached: 'failed', trouble: 'silent', detail: `no answer within ${REACH_MS / 1000} s` };
    controller.signal.addEventListener('abort', () => resolve(silent), { once: true });
  });
  const cancel = clock.after(REACH_MS, () => controller.abort());
  const answer = await Promise.race([ask(target, { env, clock }, controller.signal), late]);
  cancel();
  controller.abort();
  return answer;
}

async function ask(
  { url, headers }: ReachTarget,
  { env, clock }: { env: Environment; clock: Clock },
  signal: AbortSignal,
): Promise<Reached> {
  try {
    const fetch = await fetchThrough(env);
    const response = await fetch(url, { headers: { ...headers }, redirect: 'manual', signal });
    const models = response.ok ? modelsIn(await beginning(response)) : null;
    const theirs = Date.parse(response.headers.get('date') ?? '');
    return { reached: 'answered', status: response.status, models, aheadMs: Number.isNaN(theirs) ? null : clock.now() - theirs };
  } catch (error) {
    return { reached: 'failed', ...troubleOf(error) };
  }
}

async function beginning({ body }: Response): Promise<string> {
  const pieces: Uint8Array[] = [];
  let size = 0;
  const stream: AsyncIterable<Uint8Array> | null = body;
  for await (const piece of stream ?? []) {
    pieces.push(piece);
    size += piece.length;
    if (size > ANSWER_BYTES) break;
  }
  return Buffer.concat(pieces).toString();
}

/** `{data: [{id}]}`, as OpenAI, Anthropic and most servers answer, or Google's `{models: [{name: "models/…"}]}`. */
function modelsIn(text: string): readonly string[] | null {
  const answer = parsed(text);
  const list = isObject(answer) ? (own(answer, 'data') ?? own(answer, 'models')) : null;
  if (!Array.isArray(list)) return null;
  const rows: readonly unknown[] = list;
  return rows.flatMap((row) => {
    const name = isObject(row) ? (own(row, 'id') ?? own(row, 'name')) : null;
    return typeof name === 'string' ? [name.replace(/^models\//, '')] : [];
  });
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** `fetch` says only that it failed; the reasons hang below it, the deepest being the system's. */
function troubleOf(error: unknown): { readonly trouble: 'name' | 'refused' | 'certificate' | 'proxy' | 'other'; readonly detail: string } {
  const chain = causes(error);
  const detail = chain.map(codeOrWords).at(-1) ?? 'unknown';
  const said = chain.map((each) => `${codeOrWords(each)} ${each.message}`).join(' ');
  if (/ENOTFOUND|EAI_AGAIN|EAI_NODATA/.test(said)) return { trouble: 'name', detail };
  if (/Proxy response|proxy/i.test(said)) return { trouble: 'proxy', detail: chain.at(-1)?.message ?? detail };
  if (/ECONNREFUSED/.test(said)) return { trouble: 'refused', detail };
  if (/CERT|SELF_SIGNED|UNABLE_TO_|ERR_TLS|ERR_SSL|EPROTO/.test(said)) return { trouble: 'certificate', detail };
  return { trouble: 'other', detail };
}

function causes(error: unknown, depth = 0): readonly Error[] {
  if (!(error instanceof Error) || depth > 5) return [];
  const inner: unknown = error instanceof AggregateError ? error.errors[0] : error.cause;
  return [error, ...causes(inner, depth + 1)];
}

function codeOrWords(error: Error): string {
  return 'code' in error && typeof error.code === 'string' ? error.code : error.message;
}
