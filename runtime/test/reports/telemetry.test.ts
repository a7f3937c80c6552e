import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { main } from '../../src/cli/main.js';
import { type Post, sendTrace } from '../../src/telemetry/send.js';
import { readSettings } from '../../src/telemetry/settings.js';
import { createManualClock } from '../../src/testing/manual-clock.js';
import { chunks, fakeIo } from '../cli/io.js';
import { atHome } from '../readings/at-home.js';
import { plant } from '../run/ground.js';
import { attributesOf, spansIn } from './formats.js';

const ENDPOINT = 'OTEL_EXPORTER_OTLP_ENDPOINT';

describe('where traces go', () => {
  it.each([
    [{ [ENDPOINT]: 'http://c:4318' }, 'http://c:4318/v1/traces'],
    [{ [ENDPOINT]: 'http://c:4318/base/' }, 'http://c:4318/base/v1/traces'],
    [{ [ENDPOINT]: 'http://c', OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'https://t/x' }, 'https://t/x'],
  ])('[I-10] %j is %s', (env, url) => expect(readSettings(env)).toMatchObject({ ask: 'send', settings: { url } }));

  it.each([
    {},
    { [ENDPOINT]: '' },
    { [ENDPOINT]: 'http://c', OTEL_SDK_DISABLED: 'TRUE' },
    { [ENDPOINT]: 'http://c', OTEL_TRACES_EXPORTER: 'none' },
  ])('[I-10] %j asks for none', (env) => expect(readSettings(env)).toEqual({ ask: 'off' }));

  it.each([
    [{ [ENDPOINT]: 'c:4318' }, 'is no http or https URL'],
    [{ [ENDPOINT]: 'http://c', OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' }, '4318'],
    [{ [ENDPOINT]: 'http://c', OTEL_EXPORTER_OTLP_HEADERS: 'sekret-value' }, 'name=value'],
    [{ [ENDPOINT]: 'http://c', OTEL_EXPORTER_OTLP_HEADERS: 'a=sekret-value%0d%0ab:c' }, 'name=value'],
  ])('[I-10 S-2] %j cannot be done, and the sentence tells no header', (env, words) => {
    const asked = readSettings(env);
    expect(asked).toMatchObject({ ask: 'unusable', message: expect.stringContaining(words) });
    expect(JSON.stringify(asked)).not.toContain('sekret');
  });

  it('[I-10] headers are decoded; a login in the URL becomes one and is not shown; time is bounded', () => {
    const env = {
      [ENDPOINT]: 'http://me:pass%21@c/x?key=1',
      OTEL_EXPORTER_OTLP_HEADERS: 'api-key=a%20b',
      OTEL_EXPORTER_OTLP_TIMEOUT: '9999999',
    };
    const asked = readSettings({ ...env, OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: env[ENDPOINT] });
    const login = `Basic ${Buffer.from('me:pass!').toString('base64')}`;
    expect(asked).toMatchObject({
      settings: {
        url: 'http://c/x?key=1',
        shown: 'http://c/x',
        headers: [
          ['authorization', login],
          ['api-key', 'a b'],
        ],
        timeoutMs: 10_000,
        contents: false,
      },
    });
  });
});

describe('sending a trace', () => {
  const settings = { url: 'http://c/v1/traces?k=secret', shown: 'http://c/v1/traces', headers: [], timeoutMs: 5_000, contents: false };
  async function* requests(...spans: readonly number[]) {
    for (const count of spans) yield { body: '{}', spans: count };
  }
  const answer = (status: number, more: Partial<Awaited<ReturnType<Post>>> = {}) => ({ status, retryAfter: null, rejected: 0, ...more });

  /** Lets time pass whenever something waits for it, until the sending is over. */
  async function sent(post: Post, spans: readonly number[] = [3]) {
    const clock = createManualClock();
    let over = false;
    const sending = sendTrace(requests(...spans), { settings, post, clock }).finally(() => (over = true));
    for (let step = 0; step < 2_000 && !over; step += 1) {
      await new Promise((resolve) => setImmediate(resolve));
      if (!over) await clock.advance(50);
    }
    return { said: await sending, ms: clock.elapsed() };
  }

  it('[I-10] says nothing when all was taken', async () => {
    expect((await sent(async () => answer(200), [3, 4])).said).toBeNull();
  });

  it('[I-10] a collector that is busy is tried again, one that refuses is not', async () => {
    const answers = [answer(503), answer(429, { retryAfter: 1 }), answer(200)];
    expect((await sent(async () => answers.shift() ?? answer(500))).said).toBeNull();
    let posts = 0;
    const refused = await sent(async () => ((posts += 1), answer(401)));
    expect([posts, refused.said]).toEqual([1, 'No traces were sent to http://c/v1/traces: it answered 401.']);
  });

  it('[I-10] one that never answers holds the run no longer than the bound', async () => {
    const hanging: Post = (_, { signal }) =>
      new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(new Error('aborted'))));
    const { said, ms } = await sent(hanging);
    expect(said).toBe('No traces were sent to http://c/v1/traces: the collector took too long.');
    expect(ms).toBeLessThanOrEqual(5_100);
  });

  it('[I-10] one that is always busy, and one that is not there', async () => {
    const busy = await sent(async () => answer(503));
    expect(busy.said).toContain('it answered 503');
    expect(busy.ms).toBeLessThanOrEqual(5_100);
    const gone = await sent(async () => {
      throw Object.assign(new Error('fetch failed: secret'), { cause: Object.assign(new Error('x'), { code: 'ECONNREFUSED' }) });
    });
    expect(gone.said).toBe('No traces were sent to http://c/v1/traces: it cannot be reached (ECONNREFUSED).');
    expect(gone.ms).toBeLessThan(2_000);
  });

  it('[I-10] spans that were not taken are counted', async () => {
    expect((await sent(async () => answer(200, { rejected: 2 }), [3, 4])).said).toBe(
      'The collector at http://c/v1/traces did not take 4 of 7 spans.',
    );
    let posts = 0;
    expect((await sent(async () => answer((posts += 1) === 1 ? 200 : 400), [3, 4])).said).toBe(
      'Only 3 spans were sent to http://c/v1/traces: it answered 400.',
    );
  });
});

describe('a run and its collector', () => {
  let at: ReturnType<typeof atHome>;
  let server: Server;
  let got: { readonly url: string; readonly headers: IncomingHttpHeaders; readonly body: string }[];
  let status: number;
  beforeEach(async () => {
    at = atHome();
    got = [];
    status = 200;
    server = createServer((request, response) => {
      let body = '';
      request.on('data', (piece: Buffer) => (body += piece.toString()));
      request.on('end', () => {
        got.push({ url: request.url ?? '', headers: request.headers, body });
        response.writeHead(status).end('{}');
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    plant(at.root, { 'notes/STAGE.md': '---\n---\nWrite notes.\n' });
  });
  afterEach(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
    at.done();
  });

  async function run(env: Readonly<Record<string, string>>) {
    const io = fakeIo({ env: { FLOW_HOME: at.home, PATH: process.env['PATH'], ...env }, cwd: at.root, stdin: () => chunks() });
    const code = await main(['run', '--rehearse', '--quiet', 'notes', 'x'], io);
    return { code, out: io.printed(), err: io.said() };
  }
  const endpoint = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  it('[I-10] its spans arrive, in the trace of the caller, with the headers that were said', async () => {
    const { code, err } = await run({
      [ENDPOINT]: endpoint(),
      OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer%20collector-key',
      OTEL_SERVICE_NAME: 'nightly',
      TRACEPARENT: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
    });
    expect([code, err]).toEqual([0, '']);
    expect(got.map(({ url }) => url)).toEqual(['/v1/traces']);
    expect(got[0]?.headers).toMatchObject({ authorization: 'Bearer collector-key', 'content-type': 'application/json' });
    const spans = spansIn(got[0]?.body ?? '');
    expect(spans.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['invoke_workflow notes', 'invoke_agent notes', 'chat rehearsal', 'execute_tool write']),
    );
    expect(spans.find(({ name }) => name === 'invoke_workflow notes')).toMatchObject({
      traceId: '0af7651916cd43dd8448eb211c80319c',
      parentSpanId: 'b7ad6b7169203331',
    });
    expect(got[0]?.body).not.toContain('collector-key');
    expect(attributesOf({ attributes: JSON.parse(got[0]?.body ?? '').resourceSpans[0].resource.attributes })).toMatchObject({
      'service.name': 'nightly',
    });
  });

  it('[I-10] one that fails changes neither output nor exit: a line says so', async () => {
    const without = await run({});
    status = 400;
    const failing = await run({ [ENDPOINT]: endpoint() });
    expect(failing).toEqual({ ...without, err: `No traces were sent to ${endpoint()}/v1/traces: it answered 400.\n` });
    expect(got).toHaveLength(1);
  });

  it('[I-10] a caller that samples nothing is not sent anything, nor is who switched it off', async () => {
    await run({ [ENDPOINT]: endpoint(), TRACEPARENT: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-00' });
    await run({ [ENDPOINT]: endpoint(), OTEL_SDK_DISABLED: 'true' });
    await run({});
    expect(got).toEqual([]);
  });
});
