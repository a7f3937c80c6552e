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

/** The row that `default` stands for when the home has none: the first known key that is set and not empty (M-2). */
export function discoverDefault(env: Environment): Discovery | null {
  for (const { variable, provider, model } of KNOWN_KEYS) {
    if (isSet(env[variable])) return { intelligence: { provider, model, apiKeyEnv: variable }, found: variable };
  }
  return null;
}

/** White space alone is no key either: it would only fail later, with a provider's words. */
export function isSet(value: string | undefined): value is string {
  return value !== undefined && value.trim() !== '';
}

/** The one call that the probe makes; the global `fetch` fits. */
export type Fetch = (url: string, init: { readonly signal: AbortSignal }) => Promise<{ readonly ok: boolean; json(): Promise<unknown> }>;

const OLLAMA_MS = 200;

/** A local Ollama that lists a model within 200 ms, or null (M-2). Never rejects. */
export async function probeOllama(fetch: Fetch, env: Environment, clock: Clock): Promise<Discovery | null> {
  const address = ollamaAddress(env);
  const controller = new AbortController();
  const cancel = clock.after(OLLAMA_MS, () => controller.abort());
  const late = new Promise<null>((resolve) => controller.signal.addEventListener('abort', () => resolve(null), { once: true }));
  const model = await Promise.race([firstModel(fetch, address, controller.signal), late]);
  cancel();
  return model === null ? null : { intelligence: { provider: 'ollama', model, baseUrl: `${address}/v1` }, found: address };
}

async function firstModel(fetch: Fetch, address: string, signal: AbortSignal): Promise<string | null> {
  try {
    const response = await fetch(`${address}/api/tags`, { signal });
    return response.ok ? nameOfFirst(await response.json()) : null;
  } catch {
    return null;
  }
}

function nameOfFirst(answer: unknown): string | null {
  if (typeof answer !== 'object' || answer === null || !('models' in answer) || !Array.isArray(answer.models)) return null;
  const models: readonly unknown[] = answer.models;
  const first = models[0];
  if (typeof first !== 'object' || first === null || !('name' in first)) return null;
  return typeof first.name === 'string' && first.name !== '' ? first.name : null;
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
