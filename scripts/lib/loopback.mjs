import { createServer } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { framed } from './wires.mjs';

/**
 * A server on this machine. `answer(request, index)` gets each request as `{path, headers, text}` and gives the reply:
 * a function of the response, which may take its time. Resolves to `{url, seen, close}`.
 */
export async function loopback(answer) {
  const seen = [];
  const server = createServer((request, response) => {
    const pieces = [];
    request.on('data', (piece) => pieces.push(piece));
    request.on('end', () => {
      seen.push({ path: request.url, headers: request.headers, text: Buffer.concat(pieces).toString() });
      response.on('error', () => undefined);
      void answer(seen.at(-1), seen.length - 1)(response);
    });
  });
  const url = await listening(server);
  return { url, seen, close: () => closed(server) };
}

/** A proxy that does with a tunnel what `act(socket)` says. */
export async function proxy(act) {
  const server = createServer();
  server.on('connect', (_request, socket) => {
    socket.on('error', () => undefined);
    act(socket);
  });
  const sockets = new Set();
  server.on('connection', (socket) => sockets.add(socket));
  const url = await listening(server);
  return {
    url,
    async close() {
      for (const socket of sockets) socket.destroy();
      await closed(server);
    },
  };
}

/** A status with a body; a text goes out as it is. */
export const status =
  (code, body, headers = {}) =>
  (response) => {
    response.writeHead(code, { 'content-type': 'application/json', ...headers });
    response.end(typeof body === 'string' ? body : JSON.stringify(body));
  };

/** Server-sent events; `then` says what follows the last one: `end`, `reset`, or `open` for ever. */
export const stream =
  (events, then = 'end') =>
  (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write(events.map(framed).join(''), () => {
      if (then === 'end') response.end();
      if (then === 'reset') response.destroy();
    });
  };

/** The same, a few bytes at a time; `ms` between them. Without an end the last byte is followed by silence's opposite: comments, for ever. */
export const dripped =
  (events, { bytes, ms, endless = false }) =>
  async (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    const whole = Buffer.from(events.map(framed).join(''));
    for (let at = 0; at < whole.length && !response.destroyed; at += bytes) {
      response.write(whole.subarray(at, at + bytes));
      await pause(ms);
    }
    while (endless && !response.destroyed) {
      response.write(': \n\n');
      await pause(ms);
    }
    response.end();
  };

async function listening(server) {
  await new Promise((done) => server.listen(0, '127.0.0.1', done));
  return `http://127.0.0.1:${server.address().port}`;
}

function closed(server) {
  return new Promise((done) => {
    server.close(() => done());
    server.closeAllConnections();
  });
}
