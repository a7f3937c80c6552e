import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { framed } from '../../../scripts/lib/wires.mjs';

/** A request as the server saw it. */
export interface Seen {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  /** The bytes as text. */
  readonly text: string;
  /** The same, parsed. */
  readonly body: unknown;
}

export type Reply = (response: ServerResponse) => void;

export interface Loopback {
  readonly url: string;
  readonly seen: Seen[];
  close(): Promise<void>;
}

/** A server that answers each request with the next reply; a request too many is answered 599. */
export function loopback(...replies: readonly Reply[]): Promise<Loopback> {
  return answering((index) => replies[index] ?? ((response) => void response.writeHead(599).end()));
}

/** A server that answers each request with what a function of its number says, from 0. */
export async function answering(replyTo: (index: number) => Reply): Promise<Loopback> {
  const seen: Seen[] = [];
  const server = createServer((request, response) => {
    const pieces: Buffer[] = [];
    request.on('data', (piece: Buffer) => pieces.push(piece));
    request.on('end', () => {
      const text = Buffer.concat(pieces).toString();
      seen.push({ path: request.url ?? '', headers: request.headers, text, body: text === '' ? null : JSON.parse(text) });
      replyTo(seen.length - 1)(response);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    seen,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

export function status(code: number, body: unknown, headers: Readonly<Record<string, string>> = {}): Reply {
  return (response) => {
    response.writeHead(code, { 'content-type': 'application/json', ...headers });
    response.end(typeof body === 'string' ? body : JSON.stringify(body));
  };
}

/** Server-sent events; a text is sent as it is. `then` says what follows the last one. */
export function stream(events: readonly (object | string)[], then: 'end' | 'reset' | 'open' = 'end'): Reply {
  return (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    const bytes = events.map(framed).join('');
    response.write(bytes, () => {
      if (then === 'end') response.end();
      if (then === 'reset') response.destroy();
    });
  };
}

/** A proxy that tunnels, or does what it is told with who asks for it; and what it was asked to reach. */
export async function tunnel(
  instead?: (client: Duplex) => void,
): Promise<{ readonly url: string; readonly asked: string[]; close(): Promise<void> }> {
  const asked: string[] = [];
  const sockets = new Set<Socket>();
  const server = createServer();
  server.on('connection', (socket) => sockets.add(socket));
  server.on('connect', (request, client) => {
    asked.push(request.url ?? '');
    if (instead) return instead(client);
    const [host, port] = (request.url ?? '').split(':');
    const target = connect(Number(port), host, () => {
      client.write('HTTP/1.1 200 Connection Established\r\n\r\n');
      target.pipe(client).pipe(target);
    });
    for (const end of [target, client]) end.on('error', () => (target.destroy(), client.destroy()));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    asked,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
}
