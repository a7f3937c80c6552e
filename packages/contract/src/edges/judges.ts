import { setTimeout as pause } from 'node:timers/promises';
import type { Judge, JudgeAnswer, JudgeQuestion } from '../evaluate/ports.js';
import { isFields, listOf } from '../read/values.js';
import { bodyOf, openWeb } from './web.js';
import type { Environment } from './web.js';

export interface JudgeChoice {
  /** `provider/model`, or a model alone for the first provider there is. */
  readonly judge?: string;
  /** The address of a server that speaks the provider's protocol. */
  readonly url?: string;
  /** Name of the variable that holds the key. */
  readonly keyEnv?: string;
  /** Waits between tries; milliseconds for the n-th. For tests. */
  readonly backoff?: (attempt: number) => number;
}

interface Provider {
  readonly wire: 'anthropic' | 'openai';
  readonly address: string;
  readonly addressEnv?: string;
  readonly keys: readonly string[];
  /** A small, fast model; as the vendors offered them on 2026-11-30. */
  readonly small: string;
}

const PROVIDERS: Readonly<Record<string, Provider>> = {
  anthropic: {
    wire: 'anthropic',
    address: 'https://api.anthropic.com/v1',
    addressEnv: 'ANTHROPIC_BASE_URL',
    keys: ['ANTHROPIC_API_KEY'],
    small: 'claude-haiku-4-5',
  },
  openai: {
    wire: 'openai',
    address: 'https://api.openai.com/v1',
    addressEnv: 'OPENAI_BASE_URL',
    keys: ['OPENAI_API_KEY'],
    small: 'gpt-5-mini',
  },
  google: {
    wire: 'openai',
    address: 'https://generativelanguage.googleapis.com/v1beta/openai',
    keys: ['GEMINI_API_KEY', 'GOOGLE_GENERATIVE_AI_API_KEY'],
    small: 'gemini-2.5-flash',
  },
  ollama: { wire: 'openai', address: 'http://127.0.0.1:11434/v1', addressEnv: 'OLLAMA_HOST', keys: [], small: 'llama3.2' },
  'openai-compatible': { wire: 'openai', address: '', keys: [], small: '' },
};

export type JudgesFound =
  { readonly ok: true; candidates(model?: string): readonly Judge[] } | { readonly ok: false; readonly message: string };

const CANNOT_ASK_ITSELF = 'openai-compatible';

/**
 * The judges that can be asked, best first (C-6): the one that was chosen, else the small model of every provider whose key is
 * there. An assertion's `model` comes before both, on the chosen provider or the first there is. Nobody is asked yet.
 */
export function findJudges(choice: JudgeChoice, env: Environment): JudgesFound {
  const present = Object.entries(PROVIDERS)
    .filter(([, { keys }]) => keys.some((key) => env[key]))
    .map(([name]) => name);
  const chosen =
    choice.judge === undefined ? null : read(choice.judge, choice.url === undefined ? (present[0] ?? null) : CANNOT_ASK_ITSELF);
  if (typeof chosen === 'string') return { ok: false, message: chosen };
  if (chosen?.provider === CANNOT_ASK_ITSELF && choice.url === undefined) {
    return { ok: false, message: 'A judge of openai-compatible needs the address of its server: --judge-url https://…/v1.' };
  }
  const base = chosen ? [chosen] : present.map((provider) => ({ provider, model: PROVIDERS[provider]?.small ?? '' }));
  return {
    ok: true,
    candidates(model) {
      const wanted = model === undefined ? null : read(model, base[0]?.provider ?? null);
      const rows = wanted === null || typeof wanted === 'string' ? base : [wanted, ...base];
      return rows.map((row) => judgeOf(row, choice, env));
    },
  };
}

interface Row {
  readonly provider: string;
  readonly model: string;
}

/** `provider/model`; the model may have slashes of its own. */
function read(written: string, otherwise: string | null): Row | string {
  const slash = written.indexOf('/');
  const provider = slash === -1 ? '' : written.slice(0, slash);
  if (Object.hasOwn(PROVIDERS, provider)) return { provider, model: written.slice(slash + 1) };
  if (otherwise !== null) return { provider: otherwise, model: written };
  return `The judge ${written} has no provider, and no key of one is set. Write provider/model with one of ${Object.keys(PROVIDERS).join(', ')}.`;
}

function judgeOf({ provider, model }: Row, choice: JudgeChoice, env: Environment): Judge {
  const about = PROVIDERS[provider] ?? PROVIDERS['openai-compatible'];
  const variables = choice.keyEnv === undefined ? (about?.keys ?? []) : [choice.keyEnv];
  const endpoint: Endpoint = {
    wire: about?.wire ?? 'openai',
    address: addressOf(
      choice.url ?? (about?.addressEnv === undefined ? undefined : env[about.addressEnv] || undefined) ?? about?.address ?? '',
    ),
    key: variables.map((name) => env[name]).find(Boolean),
    model,
  };
  return { name: `${provider}/${model}`, ask: (question) => ask(endpoint, question, { env, backoff: choice.backoff ?? backoff }) };
}

interface Endpoint {
  readonly wire: Provider['wire'];
  readonly address: string;
  readonly key: string | undefined;
  readonly model: string;
}

function addressOf(written: string): string {
  const address = (/^https?:/.test(written) ? written : `http://${written}`).replace(/\/+$/, '');
  return /^https?:\/\/[^/]+$/.test(address) ? `${address}/v1` : address;
}

const TIMEOUT_MS = 60_000;
const TRIES = 3;
const LONGEST_WAIT_MS = 20_000;
const LONGEST_REPLY = 1024 * 1024;

function backoff(attempt: number): number {
  return 500 * 2 ** attempt * (0.75 + Math.random() / 2);
}

interface Asking {
  readonly env: Environment;
  backoff(attempt: number): number;
}

async function ask(endpoint: Endpoint, question: JudgeQuestion, { env, backoff: wait }: Asking): Promise<JudgeAnswer> {
  let last: Sent = { is: 'failed', message: 'nobody was asked', again: false };
  for (let attempt = 0; attempt < TRIES; attempt++) {
    last = await send(endpoint, question, env);
    if (last.is === 'answered') return { ok: true, text: last.text };
    if (!last.again) break;
    if (attempt < TRIES - 1) await pause(Math.min(last.afterMs ?? wait(attempt), LONGEST_WAIT_MS));
  }
  return { ok: false, message: last.message };
}

type Sent =
  | { readonly is: 'answered'; readonly text: string; readonly message?: never }
  | { readonly is: 'failed'; readonly message: string; readonly again: boolean; readonly afterMs?: number };

async function send(endpoint: Endpoint, question: JudgeQuestion, env: Environment): Promise<Sent> {
  const { path, headers, body } = endpoint.wire === 'anthropic' ? anthropicRequest(endpoint, question) : openaiRequest(endpoint, question);
  try {
    const fetch = await openWeb(env);
    const response = await fetch(`${endpoint.address}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
      redirect: 'error',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    if (response.status !== 200) {
      await response.body?.cancel();
      return refused(response);
    }
    const read = await bodyOf(response, LONGEST_REPLY);
    if (read === null) return { is: 'failed', message: `it answered more than ${LONGEST_REPLY} bytes`, again: false };
    const answer = answerIn(Buffer.from(read).toString('utf8'));
    return answer === null
      ? { is: 'failed', message: 'it answered something that is no answer', again: true }
      : { is: 'answered', text: answer };
  } catch (error) {
    const slow = error instanceof Error && error.name === 'TimeoutError';
    return { is: 'failed', message: slow ? 'it did not answer within 60 seconds' : 'it cannot be reached', again: true };
  }
}

function refused({ status, headers }: Response): Sent {
  const again = status === 429 || status === 408 || status >= 500;
  const after = Number(headers.get('retry-after') ?? Number.NaN);
  return { is: 'failed', message: `it answered ${status}`, again, ...(Number.isFinite(after) ? { afterMs: after * 1000 } : {}) };
}

interface WireRequest {
  readonly path: string;
  readonly headers: Record<string, string>;
  readonly body: object;
}

const MAX_REPLY_TOKENS = 1024;

/** The answer's shape is the input of a tool that has to be called: nothing else can come back. */
function anthropicRequest({ model, key }: Endpoint, { system, prompt, schema }: JudgeQuestion): WireRequest {
  const tools = [{ name: 'reply', description: 'Gives the answer.', input_schema: schema }];
  return {
    path: '/messages',
    headers: { 'anthropic-version': '2023-06-01', ...(key === undefined ? {} : { 'x-api-key': key.trim() }) },
    body: {
      model,
      max_tokens: MAX_REPLY_TOKENS,
      system,
      messages: [{ role: 'user', content: prompt }],
      tools,
      tool_choice: { type: 'tool', name: 'reply' },
    },
  };
}

function openaiRequest({ model, key }: Endpoint, { system, prompt, schema }: JudgeQuestion): WireRequest {
  const messages = [
    { role: 'system', content: system },
    { role: 'user', content: prompt },
  ];
  return {
    path: '/chat/completions',
    headers: key === undefined ? {} : { authorization: `Bearer ${key.trim()}` },
    body: { model, messages, response_format: { type: 'json_schema', json_schema: { name: 'reply', strict: true, schema } } },
  };
}

/** The text of either protocol's answer; null when there is none. */
function answerIn(text: string): string | null {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return null;
  }
  if (!isFields(value)) return null;
  for (const part of listOf(value['content'])) {
    if (!isFields(part)) continue;
    if (part['type'] === 'tool_use') return JSON.stringify(part['input']);
    if (part['type'] === 'text' && typeof part['text'] === 'string') return part['text'];
  }
  const choice = listOf(value['choices'])[0];
  const message = isFields(choice) && isFields(choice['message']) ? choice['message'] : {};
  return typeof message['content'] === 'string' ? message['content'] : null;
}
