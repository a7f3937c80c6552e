export type Environment = Readonly<Record<string, string | undefined>>;
export type WebFetch = (url: string, init: WebRequest) => Promise<Response>;

export interface WebRequest {
  readonly method?: string;
  readonly headers?: Record<string, string>;
  readonly body?: string;
  readonly redirect?: 'manual' | 'error';
  readonly signal?: AbortSignal;
}

const PROXY_NAMES = ['HTTPS_PROXY', 'https_proxy', 'HTTP_PROXY', 'http_proxy'];

/** The `fetch` that honours the environment's proxy; undici is loaded only when one is set, since Node's own fetch knows none. */
export async function openWeb(env: Environment): Promise<WebFetch> {
  if (!PROXY_NAMES.some((name) => env[name])) return (url, init) => globalThis.fetch(url, init);
  const { EnvHttpProxyAgent, fetch } = await import('undici');
  const dispatcher = new EnvHttpProxyAgent({
    httpProxy: env['http_proxy'] ?? env['HTTP_PROXY'] ?? '',
    httpsProxy: env['https_proxy'] ?? env['HTTPS_PROXY'] ?? '',
    noProxy: env['no_proxy'] ?? env['NO_PROXY'] ?? '',
  });
  return async (url, init) => {
    const { status, headers, body } = await fetch(url, { ...init, dispatcher });
    return new Response(body, { status, headers: [...headers] });
  };
}

/** The bytes of an answer; null when there are more than `limit`, and then no more of them are read. */
export async function bodyOf(response: Response, limit: number): Promise<Uint8Array | null> {
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of response.body ?? []) {
    const bytes: unknown = part;
    if (!(bytes instanceof Uint8Array)) continue;
    size += bytes.length;
    if (size > limit) return null;
    parts.push(bytes);
  }
  return Buffer.concat(parts);
}
