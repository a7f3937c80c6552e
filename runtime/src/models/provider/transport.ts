import type { Dispatcher, Pool } from 'undici';
import type { Environment } from '../discovery.js';
import { publicAddress } from '../public-address.js';

export type WebFetch = typeof globalThis.fetch;

const PROXY_NAMES = ['HTTPS_PROXY', 'https_proxy', 'HTTP_PROXY', 'http_proxy'];

/** The `fetch` that honours the environment's proxy (L-4). undici is loaded only when a proxy is set: Node's own fetch knows none. */
export async function fetchThrough(env: Environment): Promise<WebFetch> {
  if (!PROXY_NAMES.some((name) => env[name])) return globalThis.fetch;
  const { EnvHttpProxyAgent, Pool, fetch } = await import('undici');
  const dispatcher = new EnvHttpProxyAgent({
    httpProxy: env['http_proxy'] ?? env['HTTP_PROXY'] ?? '',
    httpsProxy: env['https_proxy'] ?? env['HTTPS_PROXY'] ?? '',
    noProxy: env['no_proxy'] ?? env['NO_PROXY'] ?? '',
    clientFactory: (origin, options) => failing(new Pool(origin, options)),
  });
  return async (input, init) => {
    const { method, body, headers, signal } = new Request(input, init);
    const sent = body === null ? undefined : Buffer.from(await new Response(body).arrayBuffer());
    const answer = await fetch(input instanceof Request ? input.url : input, {
      method,
      body: sent,
      headers: [...headers],
      signal,
      dispatcher,
    });
    const { status, statusText } = answer;
    return new Response(answer.body, { status, statusText, headers: [...answer.headers] });
  };
}

/** A proxy that hangs up is an error of the request. Left alone, undici takes its kind of error for one to connect again upon, at once and for ever. */
function failing(pool: Pool): Pool {
  const connect = pool.connect.bind(pool);
  async function connected(options: Parameters<Pool['connect']>[0]): Promise<Dispatcher.ConnectData> {
    try {
      return await connect(options);
    } catch (error) {
      throw new Error('The proxy closed the connection.', { cause: error });
    }
  }
  return Object.assign(pool, { connect: connected });
}

export const PAGE = 'PageInsteadOfAnAnswer';

/** A page for people with a status that says all is well comes from no model: from a wrong address, or from a proxy that wants a sign-in. */
export function refusingPages(fetch: WebFetch, baseUrl: string): WebFetch {
  return async (input, init) => {
    const response = await fetch(input, init);
    const type = response.headers.get('content-type') ?? '';
    if (!response.ok || !/^(?:text\/html|application\/xhtml\+xml)\b/i.test(type)) return response;
    await response.body?.cancel();
    const message = `The server at ${publicAddress(baseUrl)} answered with a page (${type}) and not as a model does. Correct the \`base-url\`: it often ends in /v1.`;
    throw Object.assign(new Error(message), { name: PAGE });
  };
}

/** Calls `beat` whenever something of the answer arrives: its head, then every piece of its body. */
export function watched(fetch: WebFetch, beat: () => void): WebFetch {
  return async (input, init) => {
    const response = await fetch(input, init);
    beat();
    if (response.body === null) return response;
    const body = response.body.pipeThrough(
      new TransformStream<Uint8Array, Uint8Array>({
        transform(piece, controller) {
          beat();
          controller.enqueue(piece);
        },
      }),
    );
    const { status, statusText, headers } = response;
    return new Response(body, { status, statusText, headers });
  };
}
