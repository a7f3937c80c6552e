/** One table for all four protocols: whatever a provider is, its answers and its troubles mean the same. */
import type { Duplex } from 'node:stream';
import { afterEach, describe, expect, it } from 'vitest';
import { framed, WIRES, type Said, type Wire } from '../../../scripts/lib/wires.mjs';
import type { Intelligence } from '../../src/plan/plan.js';
import type { Model } from '../../src/ports/model.js';
import { AGENT, answered, containing, failed, kept, KEY, matching, opened, request, TOOLS } from './asking.js';
import { loopback, status, stream, tunnel, type Loopback, type Reply } from './loopback.js';
import { createManualClock } from '../../src/testing/manual-clock.js';

let server: Loopback | undefined;
afterEach(async () => {
  await server?.close();
  server = undefined;
});

const rowOf = (wire: Wire, url: string, more: Partial<Intelligence> = {}): Intelligence => ({
  provider: wire.provider,
  model: wire.model,
  baseUrl: wire.provider === 'openai-compatible' ? `${url}/v1` : url,
  apiKeyEnv: 'THE_KEY',
  ...more,
});

async function asked(wire: Wire, replies: readonly Reply[], row: Partial<Intelligence> = {}, clock = createManualClock()) {
  server = await loopback(...replies);
  const model: Model = await opened(rowOf(wire, server.url, row), { THE_KEY: KEY }, clock);
  return { model, server };
}

/** What proves that reasoning came back whole, on each wire. */
const SIGNED: Readonly<Record<string, string>> = {
  anthropic: '"signature":"c2lnbmVk"',
  openai: '"encrypted_content":"c2VjcmV0IHRob3VnaHRz"',
  google: '"thoughtSignature":"c2lnbmVkIHRob3VnaHQ="',
  'openai-compatible': '"reasoning_content":"Let me see."',
};

/** A manual clock that tells when something was heard: that is when the wait begins anew. */
function beating() {
  const clock = createManualClock();
  let heard = (): void => undefined;
  const after: typeof clock.after = (ms, act) => {
    const cancel = clock.after(ms, act);
    queueMicrotask(() => heard());
    return cancel;
  };
  return { clock: { ...clock, after }, onBeat: (act: () => void) => void (heard = act) };
}

const HELLO: Said = { text: 'Hello.' };
const write = { id: 'call_1', name: 'write', pieces: ['{"path": "$OUT', 'PUT", "content"', ': "é\\n"}'] };
const read = { id: 'call_2', name: 'read', pieces: ['{', '}'] };

describe.each(Object.values(WIRES))('$provider', (wire) => {
  const reply = (said: Said, then?: 'end' | 'reset' | 'open'): Reply => stream(wire.answer(said), then);
  /** The first events of a long answer, and no more. */
  const half = (then: 'end' | 'reset' | 'open'): Reply => stream(wire.answer({ text: 'Half of it', thinking: 'Hm.' }).slice(0, 3), then);

  it('[M-1 P-2] is sent the system text, the conversation and the tools: nothing of the place, the key in its header alone', async () => {
    const { model, server } = await asked(wire, [reply(HELLO)]);
    expect(await answered(model)).toMatchObject({ text: 'Hello.', stop: 'end', calls: [], provider: wire.provider, model: wire.model });
    const [seen] = server.seen;
    expect(seen?.path).toMatch(wire.path);
    expect(String(seen?.headers[wire.authorization])).toMatch(new RegExp(`^(Bearer )?${KEY}$`));
    for (const shown of ['You help the reader.', 'Begin.', ...TOOLS.map(({ name }) => `"${name}"`)]) expect(seen?.text).toContain(shown);
    for (const hidden of [KEY, AGENT.stage, AGENT.flow, 'j07', 'hidden', 'repeat', 'retries', 'timeout'])
      expect(seen?.text).not.toContain(hidden);
  });

  it('[M-1 L-1] parallel calls whose arguments come in pieces', async () => {
    const { model } = await asked(wire, [reply({ text: 'Both.', calls: [write, read] })]);
    expect(await answered(model)).toMatchObject({
      text: 'Both.',
      stop: 'calls',
      calls: [
        { id: 'call_1', tool: 'write', input: { path: '$OUTPUT', content: 'é\n' } },
        { id: 'call_2', tool: 'read', input: {} },
      ],
    });
  });

  it('[Q-26 L-6] a tool that nobody offered and arguments that do not fit are for the loop to answer', async () => {
    const fly = { id: 'call_1', name: 'fly', pieces: ['{"to": "Rome"}'] };
    const wrong = { id: 'call_2', name: 'write', pieces: ['{"path": 7}'] };
    const { model } = await asked(wire, [reply({ calls: [fly, wrong] })]);
    expect((await answered(model)).calls).toEqual([
      { id: 'call_1', tool: 'fly', input: { to: 'Rome' } },
      { id: 'call_2', tool: 'write', input: { path: 7 } },
    ]);
  });

  it('[L-6 M-1] a call that names no tool is kept, beside others, and what goes back has names that providers take', async () => {
    const blank = { id: 'call_3', name: '', pieces: ['{"path": ', '"a"}'] };
    const dotted = { id: 'call_4', name: `functions.read it ${'é'.repeat(80)}`, pieces: ['{}'] };
    const { model, server } = await asked(wire, [reply({ calls: [write, blank, dotted] }), reply({ calls: [blank] }), reply(HELLO)]);
    const begin = { role: 'user', text: 'Begin.' } as const;
    const first = await answered(model, request([begin]));
    expect(first).toMatchObject({
      stop: 'calls',
      calls: [
        { tool: 'write', input: { path: '$OUTPUT', content: 'é\n' } },
        { tool: 'unnamed', input: { path: 'a' } },
        { tool: dotted.name, input: {} },
      ],
    });
    expect(await answered(model)).toMatchObject({ stop: 'calls', calls: [{ tool: 'unnamed', input: { path: 'a' } }] });
    const results = first.calls.map(({ id, tool }) => ({ id, tool, output: 'There is no such tool.', error: true as const }));
    await answered(model, request([begin, kept(first), { role: 'tool', results }]));
    const sent = [...(server.seen[2]?.text ?? '').matchAll(/"name":"([^"]*)"/g)].map(([, name]) => name);
    expect(sent).toEqual(expect.arrayContaining(['write', 'unnamed', `functions_read_it_${'_'.repeat(46)}`]));
    for (const name of sent) expect(name).toMatch(/^[a-zA-Z0-9_-]{1,64}$/);
  });

  it('[L-6] calls that share an id are told apart', async () => {
    const { model } = await asked(wire, [reply({ calls: [write, { ...read, id: write.id }] })]);
    const { calls } = await answered(model);
    expect(calls.map(({ tool }) => tool)).toEqual(['write', 'read']);
    expect(new Set(calls.map(({ id }) => id)).size).toBe(2);
  });

  it('[Q-26 L-6] arguments that are no JSON go to the loop as such; Google keeps them to itself and tries again', async () => {
    const broken = { id: 'call_1', name: 'write', pieces: ['{"path": ', '"$OUT'] };
    const { model } = await asked(wire, [reply({ calls: [broken] })]);
    if (wire.provider === 'google')
      expect(await failed(model)).toMatchObject({ failure: 'transient', message: containing('MALFORMED_FUNCTION_CALL') });
    else
      expect((await answered(model)).calls).toEqual([
        { id: 'call_1', tool: 'write', input: { unparsed: '{"path": "$OUT' }, malformed: matching(/JSON/) },
      ]);
  });

  it('[L-3] an answer that was cut is one, its calls included', async () => {
    const { model } = await asked(wire, [reply({ text: 'So', stop: 'length' }), reply({ text: 'So', calls: [write], stop: 'length' })]);
    expect(await answered(model)).toMatchObject({ text: 'So', calls: [], stop: 'length' });
    expect(await answered(model)).toMatchObject({ text: 'So', calls: [{ tool: 'write' }], stop: 'length' });
  });

  it('[L-1 L-3] an empty answer is an answer, cut or not, and is not sent again', async () => {
    const { model, server } = await asked(wire, [reply({}), reply({ thinking: 'Hm.', stop: 'length' }), reply(HELLO)]);
    const empty = await answered(model);
    const cut = await answered(model);
    expect([empty, cut]).toMatchObject([
      { text: '', calls: [], stop: 'end' },
      { text: '', calls: [], stop: 'length' },
    ]);
    const user = (text: string) => ({ role: 'user', text }) as const;
    await answered(model, request([user('One.'), kept(empty), user('Two.'), kept(cut), user('Three.')]));
    expect(server.seen[2]?.text).not.toMatch(/"role":"(?:assistant|model)"|rs_1|Hm\./);
  });

  it('[Q-26 L-4] an answer that the provider withheld is a fault of its own with its reason, not a stop', async () => {
    const { model } = await asked(wire, [reply({ text: 'I cannot', stop: 'withheld' })]);
    const turn = await failed(model);
    expect(turn).toMatchObject({ failure: 'permanent', message: containing('withheld') });
    expect(turn.message).toContain('I cannot');
  });

  it('[M-3] tokens with the cached part, and null for what is not said', async () => {
    const { model } = await asked(wire, [reply({ ...HELLO, usage: { input: 1000, output: 20, read: 600 } }), reply(HELLO)], {
      price: { input: 2, output: 5, cacheRead: 1 },
    });
    const extra = wire.provider === 'anthropic' ? 600 : 0;
    const turn = await answered(model);
    expect(turn.usage).toEqual({ input: 1000 + extra, output: 20, cache_read: 600, cache_write: null });
    expect(turn.costUsd).toBeCloseTo(((400 + extra) * 2 + 600 * 1 + 20 * 5) / 1e6, 12);
    expect((await answered(model)).usage).toMatchObject({ cache_read: null, cache_write: null });
  });

  it('[L-2 M-1] signed reasoning, calls and results go back as they were', async () => {
    const first: Said = { thinking: 'Let me see.', text: 'Reading.', calls: [read, { ...read, id: 'call_3' }] };
    const { model, server } = await asked(wire, [reply(first), reply(HELLO)], { reasoning: 'low' });
    const begin = { role: 'user', text: 'Begin.' } as const;
    const turn = await answered(model, request([begin]));
    const results = [
      { id: 'call_2', tool: 'read', output: 'content of a' },
      { id: 'call_3', tool: 'read', output: 'no such file', error: true },
    ] as const;
    await answered(model, request([begin, kept(turn), { role: 'tool', results }, { role: 'user', text: 'Go on.' }]));
    const sent = server.seen[1]?.text ?? '';
    for (const piece of ['Let me see.', 'Reading.', 'call_2', 'call_3', 'content of a', 'no such file', 'Go on.'])
      expect(sent).toContain(piece);
    expect(sent).toContain(SIGNED[wire.provider]);
  });

  it.each([
    [408, 'transient'],
    [409, 'transient'],
    [425, 'transient'],
    [429, 'transient'],
    [500, 'transient'],
    [502, 'transient'],
    [503, 'transient'],
    [529, 'transient'],
    [400, 'permanent'],
    [401, 'permanent'],
    [403, 'permanent'],
    [404, 'permanent'],
    [422, 'permanent'],
  ])("[Q-26 L-4] %i is %s, with the provider's words, after one attempt", async (code, failure) => {
    const { model, server } = await asked(wire, [status(code, wire.error('some_kind', 'In the words of the server.'))]);
    const turn = await failed(model);
    expect(turn).toMatchObject({
      failure,
      status: code,
      message: matching(/^In the words of the server\./),
      provider: wire.provider,
      model: wire.model,
    });
    expect(server.seen).toHaveLength(1);
    expect(JSON.stringify(turn)).not.toContain(KEY);
  });

  it('[Q-26 L-4] words that are no JSON are kept', async () => {
    const { model } = await asked(wire, [status(404, 'no such model here'), status(502, '<html>Bad gateway</html>')]);
    expect(await failed(model)).toMatchObject({ failure: 'permanent', message: containing('no such model here') });
    expect(await failed(model)).toMatchObject({ failure: 'transient', status: 502 });
  });

  it('[L-4] a context-length error says so and names the sizes, those of the provider and those of the conversation', async () => {
    const { model } = await asked(wire, [status(400, wire.error('invalid_request_error', wire.contextWords))]);
    const turn = await failed(model);
    expect(turn).toMatchObject({ failure: 'context', status: 400, message: containing(wire.contextWords) });
    expect(turn.message).toMatch(/1 messages, \d+ bytes/);
  });

  it('[L-4] Retry-After in seconds, as a date, from now', async () => {
    const clock = createManualClock(Date.UTC(2026, 10, 30, 12));
    const replies = ['7', '1.5', 'Mon, 30 Nov 2026 12:00:30 GMT', 'Mon, 30 Nov 2026 11:00:00 GMT', 'soon'].map((after) =>
      status(429, wire.error('rate_limit_error', 'Slow down.'), { 'retry-after': after }),
    );
    const { model } = await asked(wire, replies, {}, clock);
    const waits = [];
    for (const _ of replies) waits.push((await failed(model)).retryAfterMs);
    expect(waits).toEqual([7000, 1500, 30_000, 0, undefined]);
  });

  it('[L-4] a Retry-After that is no time says nothing; one beyond all dates is kept', async () => {
    const replies = ['-5', '0x10', '3, 9', '', '1e400', '99999999999999'].map((after) =>
      status(429, wire.error('rate_limit_error', 'Slow down.'), { 'retry-after': after }),
    );
    const { model } = await asked(wire, replies);
    const waits = [];
    for (const _ of replies) waits.push((await failed(model)).retryAfterMs);
    expect(waits).toEqual([undefined, undefined, undefined, undefined, undefined, 99_999_999_999_999_000]);
  });

  it('[M-3] what is no count of tokens is none, and costs nothing that anybody knows', async () => {
    const price = { input: 2, output: 5 };
    const { model } = await asked(
      wire,
      [
        { input: -5, output: -6 },
        { input: 1.5, output: 2.5 },
        { input: 1e300, output: 7 },
      ].map((usage) => reply({ ...HELLO, usage })),
      { price },
    );
    for (const output of [null, null, 7]) expect(await answered(model)).toMatchObject({ usage: { input: null, output }, costUsd: null });
  });

  it('[L-4 M-1] a request is sent on within its own server as it is, and never to another one', async () => {
    const other = await loopback(reply(HELLO));
    const sendOn =
      (code: number, location: string): Reply =>
      (response) =>
        void response.writeHead(code, { location }).end();
    const { model, server } = await asked(wire, [
      ...[301, 302, 307, 308].flatMap((code) => [sendOn(code, '/elsewhere'), reply(HELLO)]),
      sendOn(307, `${other.url}/v1`),
      ...Array.from({ length: 6 }, () => sendOn(308, '/round')),
      status(304, ''),
    ]);
    for (let index = 0; index < 4; index += 1) expect(await answered(model)).toMatchObject({ text: 'Hello.' });
    expect(new Set(server.seen.map(({ text }) => text)).size).toBe(1);
    const turn = await failed(model);
    expect(turn).toMatchObject({ failure: 'permanent', message: containing('`base-url`') });
    expect(turn.message).toContain(`${other.url}/v1`);
    expect(await failed(model)).toMatchObject({ failure: 'permanent', message: containing('/round') });
    expect(await failed(model)).toMatchObject({ failure: 'permanent', status: 304 });
    expect(other.seen).toEqual([]);
    await other.close();
  });

  it('[L-4] an answer that was finished counts, whatever the server does with the connection', async () => {
    const clock = createManualClock();
    const after: typeof clock.after = (ms, act) => {
      const cancel = clock.after(ms, act);
      if (ms === 1_000) setImmediate(() => void clock.advance(ms));
      return cancel;
    };
    const { model } = await asked(wire, [reply({ calls: [write] }, 'open')], {}, { ...clock, after });
    expect(await answered(model)).toMatchObject({ stop: 'calls', calls: [{ tool: 'write' }] });
    expect(clock.waiting()).toBe(0);

    let breakOff = (): void => undefined;
    const breaking: typeof clock.after = (ms, act) => {
      if (ms === 1_000) breakOff();
      return clock.after(ms, act);
    };
    const broken: Reply = (response) => {
      breakOff = () => void response.destroy();
      reply(HELLO, 'open')(response);
    };
    await server?.close();
    const { model: again } = await asked(wire, [broken], {}, { ...clock, after: breaking });
    expect(await answered(again)).toMatchObject({ text: 'Hello.', stop: 'end' });
    expect(clock.waiting()).toBe(0);
  });

  it('[Q-26 L-4] an error inside the stream is transient, at its beginning and in its middle', async () => {
    const trouble = wire.streamedError('In the stream.');
    const { model } = await asked(wire, [stream([trouble]), stream([...wire.answer({ text: 'Half' }).slice(0, 3), trouble])]);
    expect(await failed(model)).toMatchObject({ failure: 'transient', message: containing('In the stream.') });
    expect(await failed(model)).toMatchObject({ failure: 'transient', message: containing('In the stream.') });
  });

  it.each<[string, Reply]>([
    ['a reset before a byte', (response) => void response.destroy()],
    ['a reset in the middle', half('reset')],
    ['a stream that ends early', half('end')],
    ['a stream that ends inside a call', stream(wire.answer({ calls: [write] }).slice(0, wire.provider === 'google' ? 1 : 3))],
    ['an empty stream', stream([])],
    ['half a line', stream([...wire.answer({ text: 'Half' }).slice(0, 2), 'data: {"type": "content_\n\n'])],
    ['garbage', stream(['data: \u0000\ufffd not json\n\n'])],
    ['JSON of another shape', stream([{ nothing: 'known', choices: 'none', candidates: 7 }])],
  ])('[Q-26 L-4] %s is transient, with words', async (_name, trouble) => {
    const { model } = await asked(wire, [trouble]);
    const turn = await failed(model);
    expect(turn.failure).toBe('transient');
    expect(turn.message).not.toBe('');
  });

  it('[Q-26 L-4] a server that nobody runs is transient', async () => {
    const { model, server } = await asked(wire, []);
    await server.close();
    expect(await failed(model)).toMatchObject({ failure: 'transient', message: containing('ECONNREFUSED') });
  });

  it('[Q-26 L-4] a stream with no byte for 120 s is transient, from its beginning and in its middle; nothing is left waiting', async () => {
    const clock = createManualClock();
    const stalls =
      (reply: Reply): Reply =>
      (response) => (reply(response), response.write('', () => void clock.advance(120_000)), undefined);
    const silent: Reply = () => void clock.advance(120_000);
    const { model } = await asked(wire, [silent, stalls(half('open'))], {}, clock);
    expect(await failed(model)).toMatchObject({ failure: 'transient', message: containing('120 seconds') });
    expect(await failed(model)).toMatchObject({ failure: 'transient', message: containing('120 seconds') });
    expect(clock.waiting()).toBe(0);
  });

  it('[Q-26 L-4 L-5] a byte now and then is no stall: the answer comes, or the clock of the work ends it', async () => {
    const { clock, onBeat } = beating();
    const stop = new AbortController();
    /** Each byte is sent when the one before has been heard, 100 seconds later. */
    const drips =
      (after: (response: Parameters<Reply>[0]) => void): Reply =>
      (response) => {
        let drops = 0;
        const drop = async (): Promise<void> => {
          await clock.advance(100_000);
          drops += 1;
          if (drops < 6) return void response.write(': still here\n\n');
          onBeat(() => undefined);
          after(response);
        };
        onBeat(() => void drop());
        response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders();
      };
    const finishes = drips((response) => response.end(wire.answer(HELLO).map(framed).join('')));
    const { model } = await asked(wire, [finishes, drips(() => stop.abort())], {}, clock);
    expect(await answered(model)).toMatchObject({ text: 'Hello.' });
    expect(await failed(model, request(undefined, { signal: stop.signal }))).toMatchObject({ failure: 'aborted' });
    expect(clock.elapsed()).toBe(1_200_000);
    expect(clock.waiting()).toBe(0);
  });

  it('[L-5] an abort ends the attempt as aborted, before and during the answer', async () => {
    const stop = new AbortController();
    const clock = createManualClock();
    const { model } = await asked(wire, [(response) => (half('open')(response), stop.abort())], {}, clock);
    const asking = request(undefined, { signal: stop.signal });
    expect(await failed(model, asking)).toMatchObject({ failure: 'aborted' });
    expect(await failed(model, asking)).toMatchObject({ failure: 'aborted' });
    expect(clock.waiting()).toBe(0);
  });

  it('[L-4] the proxy of the environment is used, left aside where NO_PROXY says so, and transient when it hangs up', async () => {
    const { server: direct } = await asked(wire, [reply(HELLO), reply(HELLO)]);
    const proxy = await tunnel();
    const row = rowOf(wire, direct.url);
    const env = { THE_KEY: KEY, HTTP_PROXY: proxy.url, HTTPS_PROXY: proxy.url };
    expect(await answered(await opened(row, env))).toMatchObject({ text: 'Hello.' });
    expect(proxy.asked).toEqual([direct.url.replace('http://', '')]);
    expect(await answered(await opened(row, { ...env, NO_PROXY: '127.0.0.1' }))).toMatchObject({ text: 'Hello.' });
    expect(proxy.asked).toHaveLength(1);
    expect(direct.seen[1]?.text).toBe(direct.seen[0]?.text);
    await proxy.close();
    expect(await failed(await opened(row, env))).toMatchObject({ failure: 'transient', message: containing('proxy') });
  });

  it('[L-4 Q-26] a proxy that hangs up, or refuses, is asked once a try and is transient', async () => {
    const { server: direct } = await asked(wire, []);
    const refuse = (client: Duplex): void => void client.end('HTTP/1.1 407 Proxy Authentication Required\r\n\r\n');
    for (const act of [(client: Duplex): void => void client.destroy(), refuse]) {
      const proxy = await tunnel(act);
      const model = await opened(rowOf(wire, direct.url), { THE_KEY: KEY, HTTP_PROXY: proxy.url, HTTPS_PROXY: proxy.url });
      expect(await failed(model)).toMatchObject({ failure: 'transient', message: matching(/proxy/i) });
      expect(proxy.asked).toHaveLength(1);
      await proxy.close();
    }
    expect(direct.seen).toHaveLength(0);
  });
});
