import type { Intelligence } from '../plan/plan.js';
import type { Clock } from '../ports/clock.js';
import { KNOWN_KEYS, OLLAMA_ADDRESS } from './known.js';

/** The environment as a value: whoever reads `process.env` hands it in. */
export type Environment = Readonly<Record<string, string | undefined>>;

export interface Discovery {
  readonly intelligence: Intelligence;
  /** Why this one: the name of the variable that holds the key, or the address that answered. Never a key. */
  readonly found: string;
}

/** One of the variables in which a key may be, and the row that it would give. */
export interface KeyRung {
  readonly variable: string;
  /** Set, and not to nothing. */
  readonly present: boolean;
  readonly intelligence: Intelligence;
}

/** Every variable that is looked at, in the order in which they win (M-2). */
export function keyRungs(env: Environment): readonly KeyRung[] {
  return KNOWN_KEYS.map(({ variable, provider, model }) => ({
    variable,
    present: isSet(env[variable]),
    intelligence: { provider, model, apiKeyEnv: variable },
  }));
}

/** The row that `default` stands for when the home has none: the first known key that is set and not empty (M-2). */
export function discoverDefault(env: Environment): Discovery | null {
  const first = keyRungs(env).find(({ present }) => present);
  return first === undefined ? null : { intelligence: first.intelligence, found: first.variable };
}

/** White space alone is no key either: it would only fail later, with a provider's words. */
export function isSet(value: string | undefined): value is string {
  return value !== undefined && value.trim() !== '';
}

/** The one call that the probe makes; the global `fetch` fits. */
export type Fetch = (url: string, init: { readonly signal: AbortSignal }) => Promise<{ readonly ok: boolean; json(): Promise<unknown> }>;

const OLLAMA_MS = 200;

/** What stands at the address where a local Ollama would be. */
export interface OllamaAnswer {
  readonly address: string;
  /** The models that it offers, in its own order; null when it did not answer. */
  readonly models: readonly string[] | null;
  /** Why not, in a few words; null when it answered. */
  readonly trouble: string | null;
}

/** A local Ollama that lists a model within 200 ms, or null (M-2). Never rejects. */
export async function probeOllama(fetch: Fetch, env: Environment, clock: Clock): Promise<Discovery | null> {
  return ollamaDefault(await askOllama(fetch, env, clock));
}

/** The row that an answer gives: its first model. */
export function ollamaDefault({ address, models }: OllamaAnswer): Discovery | null {
  const model = models?.[0];
  return model === undefined ? null : { intelligence: { provider: 'ollama', model, baseUrl: `${address}/v1` }, found: address };
}

/** Asks for the list of models, and waits 200 ms (M-2). Never rejects. */
export async function askOllama(fetch: Fetch, env: Environment, clock: Clock): Promise<OllamaAnswer> {
  const address = ollamaAddress(env);
  const controller = new AbortController();
  const cancel = clock.after(OLLAMA_MS, () => controller.abort());
  const late = new Promise<string>((resolve) => {
    controller.signal.addEventListener('abort', () => resolve(`no answer within ${OLLAMA_MS} ms`), { once: true });
  });
  const answer = await Promise.race([modelsAt(fetch, address, controller.signal), late]);
  cancel();
  return typeof answer === 'string' ? { address, models: null, trouble: answer } : { address, models: answer, trouble: null };
}

/** The names of the models, or why there are none to be had. */
async function modelsAt(fetch: Fetch, address: string, signal: AbortSignal): Promise<readonly string[] | string> {
  try {
    const response = await fetch(`${address}/api/tags`, { signal });
    if (!response.ok) return 'it answers, but not as Ollama does';
    return namesIn(await response.json()) ?? 'it answers, but not as Ollama does';
  } catch {
    return 'nobody answers there';
  }
}

function namesIn(answer: unknown): readonly string[] | null {
  if (typeof answer !== 'object' || answer === null || !('models' in answer) || !Array.isArray(answer.models)) return null;
  const models: readonly unknown[] = answer.models;
  return models.flatMap((model) =>
    typeof model === 'object' && model !== null && 'name' in model && typeof model.name === 'string' && model.name !== ''
      ? [model.name]
      : [],
  );
}

/** `OLLAMA_HOST` may be a host, a host with a port, or an address; `0.0.0.0` is where a server listens, not where one calls. */
export function ollamaAddress(env: Environment): string {
  const said = env['OLLAMA_HOST']?.trim();
  if (said === undefined || said === '') return OLLAMA_ADDRESS;
  const withScheme = /^https?:\/\//.test(said) ? said : `http://${said}`;
  if (!URL.canParse(withScheme)) return OLLAMA_ADDRESS;
  const url = new URL(withScheme);
  if (url.hostname === '0.0.0.0') url.hostname = '127.0.0.1';
  if (url.port === '' && !/^https?:\/\//.test(said)) url.port = '11434';
  return `${url.origin}${url.pathname}`.replace(/\/+$/, '');
}
