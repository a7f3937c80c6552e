import type { Refusal } from '@gated-flow/assembly';
import type { Intelligence, Price, Reasoning } from '../../plan/plan.js';
import { isSet, ollamaAddress, type Environment } from '../discovery.js';
import { listedPrice } from '../prices.js';

/** Where and how one row's model is asked. */
export interface Endpoint {
  readonly wire: 'anthropic' | 'openai-compatible';
  /** As the row names it, for records and messages. */
  readonly provider: string;
  readonly model: string;
  readonly baseUrl: string;
  readonly key?: string;
  readonly reasoning?: Reasoning;
  readonly maxOutputTokens?: number;
  readonly price: Price | null;
}

export type EndpointResult =
  { readonly ok: true; readonly endpoint: Endpoint } | { readonly ok: false; readonly refusals: readonly Refusal[] };

const ANTHROPIC_ADDRESS = 'https://api.anthropic.com/v1';

/** Servers of other vendors that speak the OpenAI protocol too, for the way out. */
const COMPATIBLE: Readonly<Record<string, { readonly address: string; readonly variable: string }>> = {
  openai: { address: 'https://api.openai.com/v1', variable: 'OPENAI_API_KEY' },
  google: { address: 'https://generativelanguage.googleapis.com/v1beta/openai', variable: 'GEMINI_API_KEY' },
};

/** What a row needs to be asked, or why it cannot be, with the ways out (O-5, M-1). Reads only the environment it is given; asks nobody. */
export function endpointOf(row: Intelligence, env: Environment): EndpointResult {
  switch (row.provider) {
    case 'anthropic':
      return anthropic(row, env);
    case 'ollama':
      return compatible({ ...row, baseUrl: row.baseUrl ?? ollamaAddress(env) }, env);
    case 'openai-compatible':
      return compatible(row, env);
    default:
      return refused('model-unresolved', notDriven(row));
  }
}

function anthropic(row: Intelligence, env: Environment): EndpointResult {
  const variable = row.apiKeyEnv ?? 'ANTHROPIC_API_KEY';
  const key = env[variable];
  const unneeded = row.baseUrl !== undefined && row.apiKeyEnv === undefined;
  if (!isSet(key) && !unneeded) return noKey(row, variable);
  const elsewhere = row.baseUrl ?? (isSet(env['ANTHROPIC_BASE_URL']) ? env['ANTHROPIC_BASE_URL'] : undefined);
  const baseUrl = addressOf(elsewhere ?? ANTHROPIC_ADDRESS);
  if (baseUrl === null) return badAddress(row, elsewhere ?? '');
  const price = row.price ?? (baseUrl === ANTHROPIC_ADDRESS ? listedPrice('anthropic', row.model) : null);
  return { ok: true, endpoint: { ...common(row), wire: 'anthropic', baseUrl, key: key?.trim(), price } };
}

function compatible(row: Intelligence, env: Environment): EndpointResult {
  if (row.baseUrl === undefined) {
    const message = `The intelligence ${row.provider}/${row.model} does not say which server to ask. Give it a \`base-url\`, such as http://127.0.0.1:8000/v1.`;
    return refused('model-unresolved', message);
  }
  const baseUrl = addressOf(row.baseUrl);
  if (baseUrl === null) return badAddress(row, row.baseUrl);
  const key = row.apiKeyEnv === undefined ? undefined : env[row.apiKeyEnv];
  if (row.apiKeyEnv !== undefined && !isSet(key)) return noKey(row, row.apiKeyEnv);
  return { ok: true, endpoint: { ...common(row), wire: 'openai-compatible', baseUrl, key: key?.trim(), price: row.price ?? null } };
}

function common({ provider, model, reasoning, maxOutputTokens }: Intelligence) {
  return { provider, model, reasoning, maxOutputTokens };
}

/** An address without a path means the protocol's usual one; null when it is none that is spoken over the web. */
function addressOf(written: string): string | null {
  if (!URL.canParse(written)) return null;
  const url = new URL(written);
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return null;
  const address = written.trim().replace(/\/+$/, '');
  return url.pathname === '/' ? `${address}/v1` : address;
}

function noKey(row: Intelligence, variable: string): EndpointResult {
  const what = `The intelligence ${row.provider}/${row.model} needs a key in ${variable}, which is not set.`;
  return refused(
    'credential-missing',
    `${what} Set it, choose another row with --intelligence NAME, or try the flow without a model: --rehearse.`,
    `export ${variable}=…`,
  );
}

function badAddress(row: Intelligence, written: string): EndpointResult {
  return refused(
    'model-unresolved',
    `The address ${written} of ${row.provider}/${row.model} is no http or https URL. Correct its \`base-url\`.`,
  );
}

function notDriven(row: Intelligence): string {
  const what = `This version drives providers named anthropic, ollama and openai-compatible, not ${row.provider} (for ${row.provider}/${row.model}).`;
  const other = Object.hasOwn(COMPATIBLE, row.provider) ? COMPATIBLE[row.provider] : undefined;
  if (other === undefined)
    return `${what} A server that speaks the OpenAI protocol works with provider openai-compatible and a \`base-url\`.`;
  return `${what} Its server speaks the OpenAI protocol: use provider openai-compatible with base-url ${other.address} and api-key-env ${row.apiKeyEnv ?? other.variable}.`;
}

function refused(code: Refusal['code'], message: string, fix?: string): EndpointResult {
  return { ok: false, refusals: [{ code, path: 'command', message, fix }] };
}
