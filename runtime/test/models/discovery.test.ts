import { describe, expect, it } from 'vitest';
import { discoverDefault, ollamaAddress, probeOllama } from '../../src/models/discovery.js';
import { failureOf } from '../../src/models/failure.js';
import { costOf, listedPrice } from '../../src/models/prices.js';
import { endpointOf } from '../../src/models/provider/endpoint.js';
import { openModel } from '../../src/models/provider/open.js';
import { containing, matching } from './asking.js';
import { createManualClock } from '../../src/testing/manual-clock.js';

describe('the default from the environment', () => {
  it.each([
    [{ ANTHROPIC_API_KEY: 'k', OPENAI_API_KEY: 'k' }, 'anthropic', 'ANTHROPIC_API_KEY'],
    [{ OPENAI_API_KEY: 'k', GEMINI_API_KEY: 'k' }, 'openai', 'OPENAI_API_KEY'],
    [{ GEMINI_API_KEY: 'k' }, 'google', 'GEMINI_API_KEY'],
    [{ GOOGLE_GENERATIVE_AI_API_KEY: 'k' }, 'google', 'GOOGLE_GENERATIVE_AI_API_KEY'],
    [{ ANTHROPIC_API_KEY: '', OPENAI_API_KEY: ' ', GEMINI_API_KEY: 'k' }, 'google', 'GEMINI_API_KEY'],
  ])('[M-2 O-5] %j gives %s', (env, provider, variable) => {
    expect(discoverDefault(env)).toMatchObject({
      intelligence: { provider, apiKeyEnv: variable, model: matching(/./) },
      found: variable,
    });
  });

  it('[M-2] nothing set, or nothing but empty texts, gives nothing', () => {
    expect(discoverDefault({})).toBeNull();
    expect(discoverDefault({ ANTHROPIC_API_KEY: '', OPENAI_API_KEY: undefined, OTHER_API_KEY: 'k' })).toBeNull();
  });
});

describe('a local Ollama', () => {
  const answers =
    (body: unknown, ok = true) =>
    async () => ({ ok, json: async () => body });
  const found = (fetch: Parameters<typeof probeOllama>[0], env = {}) => probeOllama(fetch, env, createManualClock());

  it('[M-2] gives its first model', async () => {
    const asked: string[] = [];
    const result = await found(async (url) => (asked.push(url), answers({ models: [{ name: 'qwen3:8b' }, { name: 'b' }] })()));
    expect(asked).toEqual(['http://127.0.0.1:11434/api/tags']);
    expect(result).toEqual({
      intelligence: { provider: 'ollama', model: 'qwen3:8b', baseUrl: 'http://127.0.0.1:11434/v1' },
      found: 'http://127.0.0.1:11434',
    });
  });

  it.each([
    ['no models', answers({ models: [] })],
    ['another shape', answers({ models: [{ id: 1 }] })],
    ['a list', answers([])],
    ['an error', answers({}, false)],
    ['nobody there', () => Promise.reject(new Error('ECONNREFUSED'))],
    ['no JSON', async () => ({ ok: true, json: () => Promise.reject(new SyntaxError('x')) })],
  ])('[M-2] %s is nothing', async (_name, fetch) => {
    expect(await found(fetch)).toBeNull();
  });

  it('[M-2] an answer after 200 ms is too late, also from a fetch that heeds no signal', async () => {
    const clock = createManualClock();
    const result = probeOllama(() => new Promise(() => undefined), {}, clock);
    await clock.advance(200);
    expect(await result).toBeNull();
    expect(clock.waiting()).toBe(0);
  });

  it.each([
    [undefined, 'http://127.0.0.1:11434'],
    ['', 'http://127.0.0.1:11434'],
    ['0.0.0.0', 'http://127.0.0.1:11434'],
    ['box:9', 'http://box:9'],
    ['https://box/ollama/', 'https://box/ollama'],
    ['http://[', 'http://127.0.0.1:11434'],
  ])('[M-2] OLLAMA_HOST %s is %s', (said, address) => {
    expect(ollamaAddress({ OLLAMA_HOST: said })).toBe(address);
  });
});

describe('opening a row', () => {
  const clock = createManualClock();
  const SECRET = 'sk-a-very-secret-key';
  it.each([
    ['anthropic without a key', { provider: 'anthropic', model: 'm' }, 'credential-missing', 'ANTHROPIC_API_KEY'],
    ['anthropic with an empty key', { provider: 'anthropic', model: 'm', apiKeyEnv: 'EMPTY' }, 'credential-missing', 'EMPTY'],
    [
      'a named key that is not set',
      { provider: 'openai-compatible', model: 'm', baseUrl: 'http://h', apiKeyEnv: 'GONE' },
      'credential-missing',
      'GONE',
    ],
    ['a server without an address', { provider: 'openai-compatible', model: 'm' }, 'model-unresolved', 'base-url'],
    ['an address that is none', { provider: 'openai-compatible', model: 'm', baseUrl: 'box:9' }, 'model-unresolved', 'box:9'],
    ['openai with an empty key', { provider: 'openai', model: 'm', apiKeyEnv: 'EMPTY' }, 'credential-missing', 'EMPTY'],
    ['google without a key', { provider: 'google', model: 'm' }, 'credential-missing', 'GEMINI_API_KEY or GOOGLE_GENERATIVE_AI_API_KEY'],
    ['an address of openai that is none', { provider: 'openai', model: 'm', baseUrl: 'ftp://box' }, 'model-unresolved', 'ftp://box'],
    ['a provider nobody knows', { provider: 'constructor', model: 'm' }, 'model-unresolved', 'ollama and openai-compatible'],
  ])('[O-5 M-1] %s is refused with the way out', async (_name, row, code, words) => {
    const opened = await openModel(row, { env: { OPENAI_API_KEY: SECRET, EMPTY: ' ' }, clock });
    expect(opened).toMatchObject({ ok: false, refusals: [{ code, message: containing(words) }] });
    expect(JSON.stringify(opened)).not.toContain(SECRET);
  });

  it.each(['https://me:hidden-word@h/v1', 'https://hidden-word@h', 'https://h/v1?key=hidden-word', 'https://h/v1#hidden-word'])(
    '[M-1 S-2] an address that may hold a key is refused, and the key not repeated: %s',
    async (baseUrl) => {
      for (const [row, env] of [
        [{ provider: 'openai-compatible', model: 'm', baseUrl }, {}],
        [
          { provider: 'anthropic', model: 'm' },
          { ANTHROPIC_API_KEY: SECRET, ANTHROPIC_BASE_URL: baseUrl },
        ],
      ] as const) {
        const opened = await openModel(row, { env, clock });
        expect(opened).toMatchObject({ ok: false, refusals: [{ code: 'model-unresolved', message: containing('api-key-env') }] });
        expect(JSON.stringify(opened)).not.toContain('hidden-word');
      }
    },
  );

  it.each([
    [
      { provider: 'anthropic', model: 'claude-haiku-4-5' },
      { baseUrl: 'https://api.anthropic.com/v1', wire: 'anthropic', key: 'k', price: { input: 1, output: 5 } },
    ],
    [
      { provider: 'anthropic', model: 'claude-haiku-4-5', baseUrl: 'http://h:1/' },
      { baseUrl: 'http://h:1/v1', price: null },
    ],
    [{ provider: 'anthropic', model: 'claude-next-9' }, { price: null }],
    [
      { provider: 'ollama', model: 'q' },
      { baseUrl: 'http://127.0.0.1:11434/v1', wire: 'openai-compatible', key: undefined, price: null },
    ],
    [{ provider: 'openai-compatible', model: 'q', baseUrl: 'https://h/api/v3/' }, { baseUrl: 'https://h/api/v3' }],
    [
      { provider: 'openai', model: 'q' },
      { baseUrl: 'https://api.openai.com/v1', wire: 'openai', key: 'o' },
    ],
    [
      { provider: 'openai', model: 'q', baseUrl: 'http://h:1', apiKeyEnv: 'MINE' },
      { baseUrl: 'http://h:1/v1', key: 'm', price: null },
    ],
    [
      { provider: 'google', model: 'q' },
      { baseUrl: 'https://generativelanguage.googleapis.com/v1beta', wire: 'google', key: 'g' },
    ],
    [
      { provider: 'google', model: 'q', baseUrl: 'http://h:1/' },
      { baseUrl: 'http://h:1/v1beta', price: null },
    ],
  ])('[M-1 M-3] %j is asked at %j', (row, endpoint) => {
    const keys = { OPENAI_API_KEY: 'o', MINE: 'm', GOOGLE_GENERATIVE_AI_API_KEY: 'g' };
    expect(endpointOf(row, { ANTHROPIC_API_KEY: ' k ', ...keys })).toMatchObject({ ok: true, endpoint });
  });

  it("[M-1] ANTHROPIC_BASE_URL and OPENAI_BASE_URL of the environment are heeded, and the vendor's prices are not assumed there", () => {
    const env = { ANTHROPIC_API_KEY: 'k', ANTHROPIC_BASE_URL: 'http://proxy:8' };
    expect(endpointOf({ provider: 'anthropic', model: 'claude-haiku-4-5' }, env)).toMatchObject({
      endpoint: { baseUrl: 'http://proxy:8/v1', price: null },
    });
    const other = { OPENAI_API_KEY: 'k', OPENAI_BASE_URL: 'http://proxy:8/openai/' };
    expect(endpointOf({ provider: 'openai', model: 'gpt-6-sol' }, other)).toMatchObject({
      endpoint: { baseUrl: 'http://proxy:8/openai', price: null },
    });
  });
});

describe('prices', () => {
  it('[M-3] dated ids have the price of their name; other names have none', () => {
    expect(listedPrice('anthropic', 'claude-haiku-4-5-20251001')).toEqual(listedPrice('anthropic', 'claude-haiku-4-5'));
    expect(listedPrice('anthropic', 'claude-haiku-4')).toBeNull();
    expect(listedPrice('anthropic', 'constructor')).toBeNull();
    expect(listedPrice('ollama', 'claude-haiku-4-5')).toBeNull();
  });

  it('[M-3] a cost needs a price and both counts', () => {
    const usage = { input: 10, output: 1, cache_read: null, cache_write: null };
    expect(costOf(usage, null)).toBeNull();
    expect(costOf({ ...usage, output: null }, { input: 1, output: 1 })).toBeNull();
    expect(costOf(usage, { input: 1, output: 10 })).toBeCloseTo(20e-6, 12);
    expect(costOf({ ...usage, cache_read: 10 }, { input: 1, output: 10 })).toBeCloseTo(20e-6, 12);
  });
});

describe('the kind of a failure', () => {
  it.each([
    [413, 'request too large', 'permanent'],
    [400, 'input is too long for requested model', 'context'],
    [undefined, 'terminated', 'transient'],
    [200, 'no event stream', 'transient'],
    [429, 'context window tokens per minute', 'transient'],
  ] as const)('[L-4] %s %j is %s', (code, message, failure) => {
    expect(failureOf(code, message)).toBe(failure);
  });
});
