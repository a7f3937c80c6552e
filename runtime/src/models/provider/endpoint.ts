import type { Refusal } from '@gated-flow/assembly';
import type { Intelligence, Price, Reasoning } from '../../plan/plan.js';
import { isSet, ollamaAddress, type Environment } from '../discovery.js';
import { listedPrice } from '../prices.js';
import { publicAddress } from '../public-address.js';

/** The protocols that are spoken. OpenAI's own is the Responses API; its older one is what compatible servers speak. */
export type Wire = 'anthropic' | 'openai' | 'google' | 'openai-compatible';

/** Where and how one row's model is asked. */
export interface Endpoint {
  readonly wire: Wire;
  /** As the row names it, for records and messages. */
  readonly provider: string;
  readonly model: string;
  readonly baseUrl: string;
  readonly key?: string;
  /** The name of the variable that the key came from. */
  readonly keyVariable?: string | undefined;
  readonly reasoning?: Reasoning;
  readonly maxOutputTokens?: number;
  readonly price: Price | null;
}

export type EndpointResult =
  { readonly ok: true; readonly endpoint: Endpoint } | { readonly ok: false; readonly refusals: readonly Refusal[] };

/** A vendor with servers of its own. */
interface Vendor {
  readonly wire: Wire;
  readonly address: string;
  /** The path that an address without one means. */
  readonly path: string;
  /** Variables that may hold the key; the first that is set wins. */
  readonly keys: readonly [string, ...string[]];
  /** The variable by which the vendor's own tools are sent to another server. */
  readonly elsewhere?: string;
}

const VENDORS: Readonly<Record<string, Vendor>> = {
  anthropic: {
    wire: 'anthropic',
    address: 'https://api.anthropic.com/v1',
    path: '/v1',
    keys: ['ANTHROPIC_API_KEY'],
    elsewhere: 'ANTHROPIC_BASE_URL',
  },
  openai: { wire: 'openai', address: 'https://api.openai.com/v1', path: '/v1', keys: ['OPENAI_API_KEY'], elsewhere: 'OPENAI_BASE_URL' },
  google: {
    wire: 'google',
    address: 'https://generativelanguage.googleapis.com/v1beta',
    path: '/v1beta',
    keys: ['GEMINI_API_KEY', 'GOOGLE_GENERATIVE_AI_API_KEY'],
  },
};

/** What a row needs to be asked, or why it cannot be, with the ways out (O-5, M-1). Reads only the environment it is given; asks nobody. */
export function endpointOf(row: Intelligence, env: Environment): EndpointResult {
  const vendor = Object.hasOwn(VENDORS, row.provider) ? VENDORS[row.provider] : undefined;
  if (vendor) return ofVendor(row, vendor, env);
  if (row.provider === 'ollama') return compatible({ ...row, baseUrl: row.baseUrl ?? ollamaAddress(env) }, env);
  if (row.provider === 'openai-compatible') return compatible(row, env);
  return refused('model-unresolved', notDriven(row));
}

/** Where the environment sends what a row asks; undefined when it says nothing, or the row says it itself. */
export function sentTo({ provider, baseUrl }: Intelligence, env: Environment): string | undefined {
  if (baseUrl !== undefined) return undefined;
  if (provider === 'ollama') return isSet(env['OLLAMA_HOST']) ? ollamaAddress(env) : undefined;
  const variable = Object.hasOwn(VENDORS, provider) ? VENDORS[provider]?.elsewhere : undefined;
  const written = variable === undefined ? undefined : env[variable];
  return isSet(written) ? written : undefined;
}

/** A server of one's own may want no key: then the row says `base-url` and no `api-key-env`. */
function ofVendor(row: Intelligence, vendor: Vendor, env: Environment): EndpointResult {
  const variables = row.apiKeyEnv === undefined ? vendor.keys : ([row.apiKeyEnv] as const);
  const keyVariable = variables.find((variable) => isSet(env[variable]));
  const key = keyVariable === undefined ? undefined : env[keyVariable];
  const unneeded = row.baseUrl !== undefined && row.apiKeyEnv === undefined;
  if (key === undefined && !unneeded) return noKey(row, variables);
  const elsewhere = row.baseUrl ?? sentTo(row, env);
  const baseUrl = addressOf(elsewhere ?? vendor.address, vendor.path);
  if (baseUrl === null) return badAddress(row, elsewhere ?? '');
  const price = row.price ?? (baseUrl === vendor.address ? listedPrice(row.provider, row.model) : null);
  return { ok: true, endpoint: { ...common(row), wire: vendor.wire, baseUrl, key: key?.trim(), keyVariable, price } };
}

function compatible(row: Intelligence, env: Environment): EndpointResult {
  if (row.baseUrl === undefined) {
    const message = `The intelligence ${row.provider}/${row.model} does not say which server to ask. Give it a \`base-url\`, such as http://127.0.0.1:8000/v1.`;
    return refused('model-unresolved', message);
  }
  const baseUrl = addressOf(row.baseUrl, '/v1');
  if (baseUrl === null) return badAddress(row, row.baseUrl);
  const key = row.apiKeyEnv === undefined ? undefined : env[row.apiKeyEnv];
  if (row.apiKeyEnv !== undefined && !isSet(key)) return noKey(row, [row.apiKeyEnv]);
  const asked = { wire: 'openai-compatible' as const, baseUrl, key: key?.trim(), keyVariable: row.apiKeyEnv };
  return { ok: true, endpoint: { ...common(row), ...asked, price: row.price ?? null } };
}

function common({ provider, model, reasoning, maxOutputTokens }: Intelligence) {
  return { provider, model, reasoning, maxOutputTokens };
}

/**
 * An address without a path means the protocol's usual one; null when it is none that is spoken over the web. `fetch` refuses a user in
 * an address, in words that repeat the password; and the protocol's paths are appended, so that nothing may follow the path.
 */
function addressOf(written: string, path: string): string | null {
  if (!URL.canParse(written)) return null;
  const url = new URL(written);
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return null;
  if ([url.username, url.password, url.search, url.hash].some((part) => part !== '')) return null;
  const address = written.trim().replace(/\/+$/, '');
  return url.pathname === '/' ? `${address}${path}` : address;
}

function noKey(row: Intelligence, variables: readonly [string, ...string[]]): EndpointResult {
  const where = variables.join(' or ');
  const what = `The intelligence ${row.provider}/${row.model} needs a key in ${where}, which is not set.`;
  return refused(
    'credential-missing',
    `${what} Set it, choose another row with --intelligence NAME, or try the flow without a model: --rehearse.`,
    `export ${variables[0]}=…`,
  );
}

function badAddress(row: Intelligence, written: string): EndpointResult {
  const what = `The address ${publicAddress(written)} of ${row.provider}/${row.model} is no http or https address without user, query and fragment.`;
  return refused('model-unresolved', `${what} Correct its \`base-url\`. A key stands in the variable that \`api-key-env\` names.`);
}

function notDriven(row: Intelligence): string {
  const names = [...Object.keys(VENDORS), 'ollama'].join(', ');
  const what = `The providers are ${names} and openai-compatible, not ${row.provider} (for ${row.provider}/${row.model}).`;
  return `${what} A server that speaks the OpenAI protocol works with provider openai-compatible and a \`base-url\`.`;
}

function refused(code: Refusal['code'], message: string, fix?: string): EndpointResult {
  return { ok: false, refusals: [{ code, path: 'command', message, fix }] };
}
