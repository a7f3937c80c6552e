import { afterEach, describe, expect, it } from 'vitest';
import type { Intelligence } from '../../src/plan/plan.js';
import type { Model } from '../../src/ports/model.js';
import { AGENT, answered, containing, failed, holding, kept, KEY, matching, opened, request, TOOLS } from './asking.js';
import { loopback, status, stream, tunnel, type Loopback, type Reply } from './loopback.js';

let server: Loopback | undefined;
afterEach(async () => {
  await server?.close();
  server = undefined;
});

async function asked(replies: readonly Reply[], row: Partial<Intelligence> = {}): Promise<{ model: Model; server: Loopback }> {
  server = await loopback(...replies);
  const model = await opened({ provider: 'openai-compatible', model: 'local-7b', baseUrl: `${server.url}/v1`, ...row }, { MY_KEY: KEY });
  return { model, server };
}

const chunk = (delta: object, finish_reason: string | null = null) => ({
  id: 'c1',
  object: 'chat.completion.chunk',
  model: 'local-7b',
  choices: [{ index: 0, delta, finish_reason }],
});
const usage = (counts: object) => ({ id: 'c1', object: 'chat.completion.chunk', choices: [], usage: counts });
const call = (index: number, id: string | undefined, name: string | undefined, args: string) =>
  chunk({ tool_calls: [{ index, ...(id && { id, type: 'function' }), function: { ...(name && { name }), arguments: args } }] });
const DONE = 'data: [DONE]\n\n';
const hello = stream([chunk({ role: 'assistant', content: 'Hel' }), chunk({ content: 'lo.' }), chunk({}, 'stop'), DONE]);

describe('what an OpenAI-compatible server is sent', () => {
  it('[M-1 P-2] the system text, the conversation and the tools: nothing of the place, and no key where none is named', async () => {
    const { model, server } = await asked([hello]);
    expect(await answered(model)).toMatchObject({ text: 'Hello.', stop: 'end', calls: [] });
    const [seen] = server.seen;
    expect(seen?.path).toBe('/v1/chat/completions');
    expect(seen?.headers.authorization).toBeUndefined();
    expect(seen?.body).toEqual({
      model: 'local-7b',
      stream: true,
      stream_options: { include_usage: true },
      messages: [
        { role: 'system', content: 'You help the reader.' },
        { role: 'user', content: 'Begin.' },
      ],
      tools: TOOLS.map(({ name, description, parameters }) => ({
        type: 'function',
        function: { name, description, parameters: holding(parameters) },
      })),
      tool_choice: 'auto',
    });
    for (const hidden of [AGENT.stage, AGENT.flow, 'j07', 'hidden', 'repeat', 'retries', 'timeout'])
      expect(seen?.text).not.toContain(hidden);
  });

  it('[M-1] the key that the row names, the reasoning, the output limit', async () => {
    const { model, server } = await asked([hello], { apiKeyEnv: 'MY_KEY', reasoning: 'high', maxOutputTokens: 99 });
    await answered(model);
    expect(server.seen[0]?.headers.authorization).toBe(`Bearer ${KEY}`);
    expect(server.seen[0]?.body).toMatchObject({ reasoning_effort: 'high', max_tokens: 99 });
    expect(server.seen[0]?.text).not.toContain(KEY);
  });
});

describe('what it answers', () => {
  it('[M-1 L-1] parallel calls whose arguments come in pieces', async () => {
    const { model } = await asked([
      stream([
        chunk({ role: 'assistant', content: null }),
        call(0, 'call_1', 'write', '{"path": "$OUT'),
        call(1, 'call_2', 'read', '{"pa'),
        call(0, undefined, undefined, 'PUT"}'),
        call(1, undefined, undefined, 'th": "é"}'),
        chunk({}, 'tool_calls'),
        DONE,
      ]),
    ]);
    const turn = await answered(model);
    expect(turn.stop).toBe('calls');
    expect(turn.calls).toEqual([
      { id: 'call_1', tool: 'write', input: { path: '$OUTPUT' } },
      { id: 'call_2', tool: 'read', input: { path: 'é' } },
    ]);
  });

  it('[Q-26 L-6] arguments that are no JSON, and a tool that nobody offered', async () => {
    const { model } = await asked([
      stream([call(0, 'call_1', 'write', 'path=$OUTPUT'), call(1, 'call_2', 'fly', '{"to": "Rome"}'), chunk({}, 'tool_calls'), DONE]),
    ]);
    expect((await answered(model)).calls).toEqual([
      { id: 'call_1', tool: 'write', input: { unparsed: 'path=$OUTPUT' }, malformed: matching(/JSON/) },
      { id: 'call_2', tool: 'fly', input: { to: 'Rome' } },
    ]);
  });

  it('[L-6] a name that is empty at first, or empty beside every piece, or the last word, is what it says in the end', async () => {
    const nameless = (index: number, args: string, name?: string) =>
      chunk({ tool_calls: [{ index, id: `call_${index}`, function: { ...(name !== undefined && { name }), arguments: args } }] });
    const { model } = await asked([
      stream([
        nameless(0, '{"pa', 'write'),
        nameless(1, '', ''),
        nameless(2, '{"to"'),
        nameless(0, 'th": 1}', ''),
        nameless(1, '{}', 'read'),
        nameless(2, ': 2}'),
        chunk({ tool_calls: [{ index: 3, id: 'call_3', function: { name: ' ', arguments: '{"n": 3}' } }] }, 'tool_calls'),
        DONE,
      ]),
    ]);
    expect((await answered(model)).calls).toEqual([
      { id: 'call_0', tool: 'write', input: { path: 1 } },
      { id: 'call_1', tool: 'read', input: {} },
      { id: 'call_2', tool: 'unnamed', input: { to: 2 } },
      { id: 'call_3', tool: 'unnamed', input: { n: 3 } },
    ]);
  });

  it('[L-4 L-6] calls that were announced and did not come are no stop of the agent', async () => {
    const { model } = await asked([stream([chunk({ role: 'assistant', content: '' }), chunk({}, 'tool_calls'), DONE])]);
    expect(await failed(model)).toMatchObject({ failure: 'transient', message: containing('tool_calls, but no call came') });
  });

  it.each([
    ['stop', 'end'],
    ['length', 'length'],
    ['eos', 'other'],
  ])('[L-3] finish reason %s is %s', async (reason, stop) => {
    const { model } = await asked([stream([chunk({ content: 'So' }), chunk({}, reason), DONE])]);
    expect(await answered(model)).toMatchObject({ text: 'So', stop });
  });

  it('[L-1] an empty answer is an answer', async () => {
    const { model } = await asked([stream([chunk({ role: 'assistant', content: '' }), chunk({}, 'stop'), DONE])]);
    expect(await answered(model)).toMatchObject({ text: '', calls: [], stop: 'end' });
  });

  it('[M-3] usage that is reported, with the cost by the price of the row', async () => {
    const counts = { prompt_tokens: 1000, completion_tokens: 20, total_tokens: 1020, prompt_tokens_details: { cached_tokens: 600 } };
    const { model } = await asked([stream([chunk({ content: 'x' }), chunk({}, 'stop'), usage(counts), DONE])], {
      price: { input: 2, output: 5, cacheRead: 1 },
    });
    const turn = await answered(model);
    expect(turn.usage).toMatchObject({ input: 1000, output: 20, cache_read: 600, cache_write: null });
    expect(turn.costUsd).toBeCloseTo((400 * 2 + 600 * 1 + 20 * 5) / 1e6, 12);
  });

  it('[M-3] usage that nobody reports is null, and so is the cost', async () => {
    const { model } = await asked([hello], { price: { input: 2, output: 5 } });
    expect(await answered(model)).toMatchObject({ usage: { input: null, output: null, cache_write: null }, costUsd: null });
  });

  it('[L-2 M-1] reasoning, calls and results go back as they were', async () => {
    const first = stream([
      chunk({ reasoning_content: 'Let me see.' }),
      chunk({ content: 'Reading.' }),
      call(0, 'call_1', 'read', '{"path":"a"}'),
      chunk({}, 'tool_calls'),
      DONE,
    ]);
    const { model, server } = await asked([first, hello]);
    const begin = { role: 'user', text: 'Begin.' } as const;
    const turn = await answered(model, request([begin]));
    expect(turn.text).toBe('Reading.');
    await answered(
      model,
      request([
        begin,
        kept(turn),
        { role: 'tool', results: [{ id: 'call_1', tool: 'read', output: '' }] },
        { role: 'user', text: 'Go on.' },
      ]),
    );
    expect(server.seen[1]?.body).toMatchObject({
      messages: [
        { role: 'system' },
        { role: 'user', content: 'Begin.' },
        {
          role: 'assistant',
          content: 'Reading.',
          reasoning_content: 'Let me see.',
          tool_calls: [{ id: 'call_1', type: 'function', function: { name: 'read', arguments: '{"path":"a"}' } }],
        },
        { role: 'tool', tool_call_id: 'call_1', content: '' },
        { role: 'user', content: 'Go on.' },
      ],
    });
  });
});

describe('trouble with it', () => {
  const error = (message: string, more: object = {}) => ({ error: { message, type: 'server_error', ...more } });
  it.each([
    [425, 'transient'],
    [429, 'transient'],
    [503, 'transient'],
    [529, 'transient'],
    [400, 'permanent'],
    [401, 'permanent'],
    [404, 'permanent'],
    [422, 'permanent'],
  ])("[Q-26 L-4] %i is %s, with the server's words, after one attempt", async (code, failure) => {
    const { model, server } = await asked([status(code, error('In the words of the server.'))]);
    expect(await failed(model)).toMatchObject({
      failure,
      status: code,
      message: matching(/^In the words of the server\./),
      provider: 'openai-compatible',
      model: 'local-7b',
    });
    expect(server.seen).toHaveLength(1);
  });

  it('[L-4] words that are no JSON are kept', async () => {
    const { model } = await asked([status(404, 'no such model: local-7b')]);
    expect(await failed(model)).toMatchObject({ failure: 'permanent', message: containing('no such model: local-7b') });
  });

  it('[L-4] a context-length error says so and keeps the sizes', async () => {
    const words = "This model's maximum context length is 8192 tokens. However, your messages resulted in 9000 tokens.";
    const { model } = await asked([status(400, error(words, { type: 'invalid_request_error', code: 'context_length_exceeded' }))]);
    expect(await failed(model)).toMatchObject({ failure: 'context', message: containing(words) });
  });

  it('[L-4] Retry-After is read', async () => {
    const { model } = await asked([status(429, error('Slow down.'), { 'retry-after': '1.5' })]);
    expect(await failed(model)).toMatchObject({ failure: 'transient', retryAfterMs: 1500 });
  });

  it.each([
    ['a reset in the middle', stream([chunk({ content: 'Hal' })], 'reset')],
    ['a stream that ends early', stream([chunk({ content: 'Hal' })])],
    ['a stream that ends inside a call', stream([call(0, 'call_1', 'write', '{"pa')])],
    ['garbage', stream([chunk({ content: 'Hal' }), 'data: {"choices": [\n\n'])],
    ['an error inside the stream', stream([chunk({ content: 'Hal' }), error('Out of memory.'), DONE])],
  ])('[Q-26 L-4] %s is transient', async (_name, reply) => {
    const { model } = await asked([reply]);
    expect(await failed(model)).toMatchObject({ failure: 'transient' });
  });

  it('[L-4] the proxy of the environment is used, and left aside where NO_PROXY says so', async () => {
    const { server: direct } = await asked([hello, hello]);
    const proxy = await tunnel();
    const row = { provider: 'openai-compatible', model: 'local-7b', baseUrl: `${direct.url}/v1` };
    const proxies = { HTTP_PROXY: proxy.url, HTTPS_PROXY: proxy.url };
    expect(await answered(await opened(row, proxies))).toMatchObject({ text: 'Hello.' });
    expect(proxy.asked).toEqual([direct.url.replace('http://', '')]);
    expect(await answered(await opened(row, { ...proxies, NO_PROXY: '127.0.0.1' }))).toMatchObject({ text: 'Hello.' });
    expect(proxy.asked).toHaveLength(1);
    expect(direct.seen.map(({ text }) => text)).toEqual([direct.seen[0]?.text, direct.seen[0]?.text]);
    await proxy.close();
  });
});
