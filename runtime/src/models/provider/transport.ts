import type { Dispatcher, Pool } from 'undici';
import type { Environment } from '../discovery.js';
import { publicAddress } from '../public-address.js';
import type { StallWatch } from './stall.js';

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
    const { method, body, headers, signal, redirect } = new Request(input, init);
    const sent = body === null ? undefined : Buffer.from(await new Response(body).arrayBuffer());
    const answer = await fetch(input instanceof Request ? input.url : input, {
      method,
      body: sent,
      headers: [...headers],
      signal,
      redirect,
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

export const ELSEWHERE = 'SentElsewhere';

/** How often one request is sent on. */
const HOPS = 5;

/**
 * Sends a request on within the server's own address, as it is. `fetch` would send it anywhere: the conversation, and the key where it stands in a header
 * of the provider's own; and without its body after a 301 or 302.
 */
export function stayingThere(fetch: WebFetch, baseUrl: string): WebFetch {
  return async (input, init) => {
    let at = new URL(input instanceof Request ? input.url : input);
    for (let hops = 0; ; hops += 1) {
      const response = await fetch(at.href, { ...init, redirect: 'manual' });
      const to = onwards(response, at);
      if (to === null) return response;
      await response.body?.cancel();
      if (to.origin !== at.origin || hops === HOPS)
        throw Object.assign(new Error(sentAway(response, { to, baseUrl })), { name: ELSEWHERE });
      at = to;
    }
  };
}

function onwards({ status, headers }: Response, at: URL): URL | null {
  const location = headers.get('location');
  return [301, 302, 307, 308].includes(status) && location !== null && URL.canParse(location, at.href) ? new URL(location, at.href) : null;
}

function sentAway({ status }: Response, { to, baseUrl }: { readonly to: URL; readonly baseUrl: string }): string {
  const where = publicAddress(`${to.origin}${to.pathname}`);
  return `The server at ${publicAddress(baseUrl)} sends the request on (${status}) to ${where}, which was not followed. If that is the right server, make it the \`base-url\`.`;
}

/** What is told of an answer while it arrives, and when enough of it has. */
export type Hearing = Pick<StallWatch, 'beat' | 'concluded' | 'over'>;

/** Calls `beat` whenever something of the answer arrives: its head, then every piece of its body. */
export function watched(fetch: WebFetch, hearing: Hearing): WebFetch {
  return async (input, init) => {
    const response = await fetch(input, init);
    hearing.beat();
    if (response.body === null) return response;
    const { status, statusText, headers } = response;
    return new Response(heard(response.body, hearing), { status, statusText, headers });
  };
}

/** The body as it comes. After the model's last word it ends well, whatever becomes of the connection. */
function heard(body: ReadableStream<Uint8Array>, { beat, concluded, over }: Hearing): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  let open = true;
  const close = (controller: ReadableStreamDefaultController): void => {
    if (open) controller.close();
    open = false;
  };
  return new ReadableStream<Uint8Array>({
    start(controller) {
      const stop = (): void => {
        close(controller);
        reader.cancel().catch(() => undefined);
      };
      over.addEventListener('abort', stop, { once: true });
    },
    async pull(controller) {
      try {
        const { done, value } = await reader.read();
        beat();
        if (done) close(controller);
        else if (open) controller.enqueue(value);
      } catch (error) {
        if (!concluded()) throw error;
        close(controller);
      }
    },
    async cancel(reason) {
      open = false;
      await reader.cancel(reason);
    },
  });
}
