import { afterEach, describe, expect, it } from 'vitest';
import type { Intelligence } from '../../src/plan/plan.js';
import type { Model } from '../../src/ports/model.js';
import { stallWatch } from '../../src/models/provider/stall.js';
import { AGENT, answered, containing, failed, holding, kept, KEY, matching, opened, request, TOOLS } from './asking.js';
import { loopback, status, stream, type Loopback, type Reply } from './loopback.js';
import { createManualClock } from '../../src/testing/manual-clock.js';

let server: Loopback | undefined;
afterEach(async () => {
  await server?.close();
  server = undefined;
});

async function asked(
  replies: readonly Reply[],
  row: Partial<Intelligence> = {},
  clock = createManualClock(),
): Promise<{ model: Model; server: Loopback }> {
  server = await loopback(...replies);
  const model = await opened(
    { provider: 'anthropic', model: 'claude-haiku-4-5', baseUrl: server.url, ...row },
    { ANTHROPIC_API_KEY: KEY },
    clock,
  );
  return { model, server };
}

const start = (usage: object = { input_tokens: 10, output_tokens: 1 }) => ({
  type: 'message_start',
  message: {
    id: 'msg_1',
    type: 'message',
    role: 'assistant',
    model: 'claude-haiku-4-5',
    content: [],
    stop_reason: null,
    stop_sequence: null,
    usage,
  },
});
const block = (index: number, content_block: object) => ({ type: 'content_block_start', index, content_block });
const delta = (index: number, change: object) => ({ type: 'content_block_delta', index, delta: change });
const close = (index: number) => ({ type: 'content_block_stop', index });
const finish = (stop_reason: string, output_tokens = 5) => [
  { type: 'message_delta', delta: { stop_reason, stop_sequence: null }, usage: { output_tokens } },
  { type: 'message_stop' },
];
const says = (text: string, index = 0) => [
  block(index, { type: 'text', text: '' }),
  delta(index, { type: 'text_delta', text }),
  close(index),
];
const calls = (index: number, id: string, name: string, pieces: readonly string[]) => [
  block(index, { type: 'tool_use', id, name, input: {} }),
  ...pieces.map((partial_json) => delta(index, { type: 'input_json_delta', partial_json })),
  close(index),
];
const hello = stream([start(), ...says('Hello.'), ...finish('end_turn')]);
const error = (type: string, message: string) => ({ type: 'error', error: { type, message } });

describe('what Anthropic is sent', () => {
  it('[M-1 P-2] the system text, the conversation and the tools: nothing of the place', async () => {
    const { model, server } = await asked([hello]);
    await answered(model);
    const [seen] = server.seen;
    expect(seen?.path).toBe('/v1/messages');
    expect(seen?.headers['x-api-key']).toBe(KEY);
    expect(seen?.body).toEqual({
      model: 'claude-haiku-4-5',
      max_tokens: 32_000,
      stream: true,
      system: [{ type: 'text', text: 'You help the reader.', cache_control: { type: 'ephemeral' } }],
      messages: [{ role: 'user', content: [{ type: 'text', text: 'Begin.', cache_control: { type: 'ephemeral' } }] }],
      tools: TOOLS.map(({ name, description, parameters }) => holding({ name, description, input_schema: parameters })),
      tool_choice: { type: 'auto' },
    });
    for (const hidden of [KEY, AGENT.stage, AGENT.flow, 'j07', 'hidden', 'repeat', 'retries', 'timeout'])
      expect(seen?.text).not.toContain(hidden);
  });

  it.each([
    ['claude-haiku-4-5', 'low', { thinking: { type: 'enabled', budget_tokens: 4096 }, max_tokens: 36_096 }],
    ['claude-sonnet-5-5', 'minimal', { thinking: { type: 'adaptive' }, output_config: { effort: 'low' }, max_tokens: 32_000 }],
    ['claude-opus-4-7', 'xhigh', { thinking: { type: 'adaptive' }, output_config: { effort: 'xhigh' } }],
    ['claude-opus-5', 'none', { thinking: { type: 'disabled' } }],
  ] as const)('[M-1] reasoning of %s at %s', async (name, reasoning, body) => {
    const { model, server } = await asked([hello], { model: name, reasoning });
    await answered(model);
    expect(server.seen[0]?.body).toMatchObject(body);
  });

  it('[M-1] the output limit of the row', async () => {
    const { model, server } = await asked([hello], { maxOutputTokens: 77 });
    await answered(model);
    expect(server.seen[0]?.body).toMatchObject({ max_tokens: 77 });
  });
});

describe('what Anthropic answers', () => {
  it('[M-1 L-1] parallel calls whose arguments come in pieces', async () => {
    const { model } = await asked([
      stream([
        start(),
        ...says('Both.'),
        ...calls(1, 'toolu_1', 'write', ['{"path": "$OUT', 'PUT", "cont', 'ent": "é\\n"}']),
        ...calls(2, 'toolu_2', 'read', ['', '{}']),
        ...calls(3, 'toolu_3', 'read', []),
        ...finish('tool_use'),
      ]),
    ]);
    expect(await answered(model)).toMatchObject({
      text: 'Both.',
      stop: 'calls',
      calls: [
        { id: 'toolu_1', tool: 'write', input: { path: '$OUTPUT', content: 'é\n' } },
        { id: 'toolu_2', tool: 'read', input: {} },
        { id: 'toolu_3', tool: 'read', input: {} },
      ],
    });
  });

  it('[L-6 M-1] calls of one answer that share an id are told apart, as what goes back must', async () => {
    const { model, server } = await asked([
      stream([
        start(),
        ...calls(0, 'toolu_1', 'write', ['{}']),
        ...calls(1, 'toolu_1', 'read', ['{}']),
        ...calls(2, 'toolu_1-2', 'read', ['{}']),
        ...finish('tool_use'),
      ]),
      hello,
    ]);
    const { text, calls: got, native } = await answered(model);
    const ids = ['toolu_1', 'toolu_1-2', 'toolu_1-2-2'];
    expect(got.map(({ id }) => id)).toEqual(ids);
    const results = got.map(({ id, tool }) => ({ id, tool, output: 'Done.' }));
    await answered(
      model,
      request([
        { role: 'user', text: 'Begin.' },
        { role: 'assistant', text, calls: got, native },
        { role: 'tool', results },
      ]),
    );
    expect(server.seen[1]?.body).toMatchObject({
      messages: [
        { role: 'user' },
        { role: 'assistant', content: ids.map((id) => ({ type: 'tool_use', id })) },
        { role: 'user', content: ids.map((id) => ({ type: 'tool_result', tool_use_id: id })) },
      ],
    });
  });

  it('[Q-26 L-6] arguments that are no JSON, and a tool that nobody offered', async () => {
    const { model } = await asked([
      stream([
        start(),
        ...calls(0, 'toolu_1', 'write', ['{"path": ']),
        ...calls(1, 'toolu_2', 'fly', ['{"to": "Rome"}']),
        ...finish('tool_use'),
      ]),
    ]);
    const { calls: got } = await answered(model);
    expect(got).toEqual([
      { id: 'toolu_1', tool: 'write', input: { unparsed: '{"path": ' }, malformed: matching(/JSON/) },
      { id: 'toolu_2', tool: 'fly', input: { to: 'Rome' } },
    ]);
  });

  it.each([
    ['end_turn', 'end'],
    ['max_tokens', 'length'],
    ['stop_sequence', 'end'],
  ])('[L-3] stop reason %s is %s', async (reason, stop) => {
    const { model } = await asked([stream([start(), ...says('So'), ...finish(reason)])]);
    expect(await answered(model)).toMatchObject({ text: 'So', stop });
  });

  it('[L-4 M-1] events, blocks and pieces of kinds that nobody has heard of are passed over; known ones that are malformed are not', async () => {
    const [opening, piece, closing] = says('Hello.', 1);
    const odd = [{ type: 'brand_new' }, block(0, { type: 'brand_new', data: 1 }), close(0), delta(1, { type: 'brand_new_delta' })];
    const strange = stream([start(), opening ?? '', ...odd, piece ?? '', closing ?? '', ...finish('end_turn')]);
    const malformed = stream([start(), ...says('Hel'), delta(0, { type: 'text_delta', text: 7 }), ...finish('end_turn')]);
    const { model } = await asked([strange, malformed]);
    expect(await answered(model)).toMatchObject({ text: 'Hello.', calls: [], stop: 'end' });
    expect(await failed(model)).toMatchObject({ failure: 'transient' });
  });

  it('[L-1] an empty answer is an answer', async () => {
    const { model } = await asked([stream([start(), ...finish('end_turn')])]);
    expect(await answered(model)).toMatchObject({ text: '', calls: [], stop: 'end' });
  });

  it('[M-3] usage with its cached parts, and the cost by the price of the row', async () => {
    const usage = { input_tokens: 100, cache_read_input_tokens: 2000, cache_creation_input_tokens: 300, output_tokens: 1 };
    const reply = stream([start(usage), ...says('x'), ...finish('end_turn', 50)]);
    const { model } = await asked([reply], { price: { input: 10, output: 100, cacheRead: 1, cacheWrite: 20 } });
    const turn = await answered(model);
    expect(turn.usage).toEqual({ input: 2400, output: 50, cache_read: 2000, cache_write: 300 });
    expect(turn.costUsd).toBeCloseTo((100 * 10 + 2000 * 1 + 300 * 20 + 50 * 100) / 1e6, 12);
  });

  it("[M-3] no price is known for a server of one's own", async () => {
    const { model } = await asked([hello]);
    expect(await answered(model)).toMatchObject({ costUsd: null, provider: 'anthropic', model: 'claude-haiku-4-5' });
  });
});

describe('a conversation with Anthropic', () => {
  it('[L-2 M-1] gives signed thinking, calls and results back as they were, and remembers up to the newest message', async () => {
    const thinking = [
      block(0, { type: 'thinking', thinking: '', signature: '' }),
      delta(0, { type: 'thinking_delta', thinking: 'Let me ' }),
      delta(0, { type: 'thinking_delta', thinking: 'see.' }),
      delta(0, { type: 'signature_delta', signature: 'c2lnbmVk' }),
      close(0),
      block(1, { type: 'redacted_thinking', data: 'aGlkZGVu' }),
      close(1),
    ];
    const first = stream([
      start(),
      ...thinking,
      ...says('Reading.', 2),
      ...calls(3, 'toolu_1', 'read', ['{"path":"a"}']),
      ...calls(4, 'toolu_2', 'read', ['{"path":"b"}']),
      ...finish('tool_use'),
    ]);
    const { model, server } = await asked([first, hello], { reasoning: 'low' });
    const begin = { role: 'user', text: 'Begin.' } as const;
    const turn = await answered(model, request([begin]));
    const results = [
      { id: 'toolu_1', tool: 'read', output: 'content of a' },
      { id: 'toolu_2', tool: 'read', output: 'no such file', error: true },
    ] as const;
    await answered(model, request([begin, kept(turn), { role: 'tool', results }, { role: 'user', text: 'Go on.' }]));
    const cached = { cache_control: { type: 'ephemeral' } };
    expect(server.seen[1]?.body).toMatchObject({
      messages: [
        { role: 'user', content: [{ type: 'text', text: 'Begin.', ...cached }] },
        {
          role: 'assistant',
          content: [
            { type: 'thinking', thinking: 'Let me see.', signature: 'c2lnbmVk' },
            { type: 'redacted_thinking', data: 'aGlkZGVu' },
            { type: 'text', text: 'Reading.' },
            { type: 'tool_use', id: 'toolu_1', name: 'read', input: { path: 'a' } },
            { type: 'tool_use', id: 'toolu_2', name: 'read', input: { path: 'b' } },
          ],
        },
        {
          role: 'user',
          content: [
            { type: 'tool_result', tool_use_id: 'toolu_1', content: 'content of a' },
            { type: 'tool_result', tool_use_id: 'toolu_2', content: 'no such file', is_error: true },
            { type: 'text', text: 'Go on.', ...cached },
          ],
        },
      ],
    });
  });

  it("[L-2] an empty answer and another provider's own form are no messages to send", async () => {
    const { model, server } = await asked([hello]);
    const foreign = { provider: 'other', parts: [{ type: 'text', text: 'not this' }] };
    await answered(
      model,
      request([
        { role: 'user', text: 'One.' },
        { role: 'assistant', text: '', calls: [] },
        { role: 'user', text: 'Two.' },
        {
          role: 'assistant',
          text: 'Yes.',
          calls: [{ id: 'toolu_1', tool: 'read', input: { unparsed: '{' }, malformed: 'x' }],
          native: foreign,
        },
        { role: 'tool', results: [{ id: 'toolu_1', tool: 'read', output: 'no' }] },
      ]),
    );
    expect(server.seen[0]?.text).not.toContain('not this');
    expect(server.seen[0]?.body).toMatchObject({
      messages: [
        { role: 'user', content: [{ text: 'One.' }, { text: 'Two.' }] },
        {
          role: 'assistant',
          content: [
            { type: 'text', text: 'Yes.' },
            { type: 'tool_use', input: { unparsed: '{' } },
          ],
        },
        { role: 'user', content: [{ type: 'tool_result' }] },
      ],
    });
  });
});

describe('trouble with Anthropic', () => {
  it.each([
    [408, 'timeout_error', 'transient'],
    [409, 'conflict', 'transient'],
    [429, 'rate_limit_error', 'transient'],
    [500, 'api_error', 'transient'],
    [529, 'overloaded_error', 'transient'],
    [400, 'invalid_request_error', 'permanent'],
    [401, 'authentication_error', 'permanent'],
    [403, 'permission_error', 'permanent'],
    [404, 'not_found_error', 'permanent'],
  ])("[Q-26 L-4] %i %s is %s, with the provider's words, after one attempt", async (code, type, failure) => {
    const { model, server } = await asked([status(code, error(type, 'In the words of the server.'))]);
    const turn = await failed(model);
    expect(turn).toMatchObject({
      failure,
      status: code,
      provider: 'anthropic',
      model: 'claude-haiku-4-5',
      message: matching(/^In the words of the server\./),
    });
    expect(server.seen).toHaveLength(1);
    expect(JSON.stringify(turn)).not.toContain(KEY);
  });

  it('[L-4] a context-length error says so and keeps the sizes', async () => {
    const words = 'prompt is too long: 210000 tokens > 200000 maximum';
    const { model } = await asked([status(400, error('invalid_request_error', words))]);
    expect(await failed(model)).toMatchObject({ failure: 'context', status: 400, message: containing(words) });
  });

  it('[L-4] an answer that filled the context window says so', async () => {
    const { model } = await asked([stream([start(), ...says('So'), ...finish('model_context_window_exceeded')])]);
    expect(await failed(model)).toMatchObject({ failure: 'context', message: containing('1 messages') });
  });

  it('[L-4] Retry-After in seconds and as a date, from now', async () => {
    const clock = createManualClock(Date.UTC(2026, 10, 30, 12));
    const limited = error('rate_limit_error', 'Slow down.');
    const replies = ['7', 'Mon, 30 Nov 2026 12:00:30 GMT', 'Mon, 30 Nov 2026 11:00:00 GMT', 'soon'].map((after) =>
      status(429, limited, { 'retry-after': after }),
    );
    const { model } = await asked(replies, {}, clock);
    const waits = [await failed(model), await failed(model), await failed(model), await failed(model)].map((turn) => turn.retryAfterMs);
    expect(waits).toEqual([7000, 30_000, 0, undefined]);
  });

  it.each([
    ['overloaded_error', 'transient'],
    ['api_error', 'transient'],
    ['invalid_request_error', 'permanent'],
  ])('[Q-26 L-4] %s inside the stream is %s, at its beginning and in its middle', async (type, failure) => {
    const { model } = await asked([
      stream([error(type, 'In the stream.')]),
      stream([start(), ...says('Half'), error(type, 'In the stream.')]),
    ]);
    expect(await failed(model)).toMatchObject({ failure, message: containing('In the stream.') });
    expect(await failed(model)).toMatchObject({ failure, message: containing('In the stream.') });
  });

  it.each([
    [
      'a connection reset in the middle',
      stream([start(), block(0, { type: 'text', text: '' }), delta(0, { type: 'text_delta', text: 'Hal' })], 'reset'),
    ],
    ['a connection reset before a word', ((response) => response.destroy()) satisfies Reply],
    ['a stream that ends early', stream([start(), ...says('Half')])],
    ['a stream that ends inside a call', stream([start(), ...calls(0, 'toolu_1', 'write', ['{"path": "$OUTPUT"}'])])],
    ['an empty stream', stream([])],
    ['garbage in the stream', stream([start(), 'data: {"type": "content_\n\n'])],
    ['garbage of another shape', stream([start(), { type: 'content_block_start', index: 'zero' }])],
    ['an error page', status(502, '<html>Bad gateway</html>')],
  ])('[Q-26 L-4] %s is transient', async (_name, reply) => {
    const { model } = await asked([reply]);
    const turn = await failed(model);
    expect(turn.failure).toBe('transient');
    expect(turn.message).not.toBe('');
  });

  it('[Q-26 L-4] a server that nobody runs is transient', async () => {
    const { model, server } = await asked([]);
    await server.close();
    expect(await failed(model)).toMatchObject({ failure: 'transient', message: containing('ECONNREFUSED') });
  });

  it('[Q-26 L-4] a stream with no byte for 120 s is transient', async () => {
    const clock = createManualClock();
    const { model } = await asked(
      [
        (response) => {
          stream([start(), ...says('Half')], 'open')(response);
          void clock.advance(120_000);
        },
      ],
      {},
      clock,
    );
    expect(await failed(model)).toMatchObject({ failure: 'transient', message: containing('120 seconds') });
    expect(clock.waiting()).toBe(0);
  });

  it('[L-4] every byte starts the wait again, until the turn is over', async () => {
    const clock = createManualClock();
    const watch = stallWatch(clock);
    await clock.advance(119_999);
    watch.beat();
    await clock.advance(119_999);
    expect(watch.stalled()).toBe(false);
    await clock.advance(1);
    expect(watch.stalled()).toBe(true);
    watch.end();
    watch.beat();
    expect(clock.waiting()).toBe(0);
  });

  it('[L-5] an abort ends the attempt as aborted, before and during the answer', async () => {
    const stop = new AbortController();
    const clock = createManualClock();
    const { model } = await asked([(response) => (stream([start(), ...says('Half')], 'open')(response), stop.abort())], {}, clock);
    expect(await failed(model, request(undefined, { signal: stop.signal }))).toMatchObject({ failure: 'aborted' });
    expect(await failed(model, request(undefined, { signal: stop.signal }))).toMatchObject({ failure: 'aborted' });
    expect(clock.waiting()).toBe(0);
  });
});
