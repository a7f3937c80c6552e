import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { modelsDocument, type ModelsDocument } from '../../src/cli/models/document.js';
import { publicAddress } from '../../src/models/public-address.js';
import { main } from '../../src/cli/main.js';
import { EMPTY_CONFIG } from '../../src/plan/config/empty.js';
import { fakeIo } from '../cli/io.js';
import { judged } from './judged.js';

const KEY = 'sk-a-very-secret-key';
/** Nobody listens on port 1. */
const NOWHERE = 'http://127.0.0.1:1';
let root: string;
beforeAll(() => (root = mkdtempSync(join(tmpdir(), 'models-'))));
afterAll(() => rmSync(root, { recursive: true }));

let homes = 0;
async function models(
  env: Record<string, string>,
  { config, words = [], width = 80 }: { config?: string; words?: string[]; width?: number } = {},
) {
  const home = join(root, `home-${(homes += 1)}`);
  mkdirSync(home);
  if (config !== undefined) writeFileSync(join(home, 'config.yaml'), config);
  const io = fakeIo({ env: { OLLAMA_HOST: NOWHERE, FLOW_HOME: home, ...env }, width });
  const code = await main(['models', ...words], io);
  return { code, out: io.printed(), err: io.said(), home };
}

async function found(env: Record<string, string>, config?: string) {
  const answer = await models(env, { words: ['--json'], ...(config === undefined ? {} : { config }) });
  return { ...answer, document: judged<ModelsDocument>(answer.out) };
}

describe('what is found, and why', () => {
  const row = (name: string): string => `intelligences: { ${name}: { provider: ollama, model: q } }`;
  it.each([
    ['nothing', {}, ''],
    ['a key', { OPENAI_API_KEY: KEY }, 'openai by OPENAI_API_KEY'],
    ['the first of two keys', { GEMINI_API_KEY: KEY, ANTHROPIC_API_KEY: KEY }, 'anthropic by ANTHROPIC_API_KEY'],
    ['a key behind empty ones', { ANTHROPIC_API_KEY: '', OPENAI_API_KEY: ' ', GEMINI_API_KEY: KEY }, 'google by GEMINI_API_KEY'],
    ['a row before every key', { ANTHROPIC_API_KEY: KEY, config: row('default') }, 'ollama by default'],
    ['the row that the home asks for', { ANTHROPIC_API_KEY: KEY, config: `intelligence: near\n${row('near')}` }, 'ollama by near'],
    ['no key instead of a row that is not there', { ANTHROPIC_API_KEY: KEY, config: 'intelligence: near' }, ''],
  ])('[M-2 O-5] %s', async (_name, { config, ...env }: Record<string, string>, expected) => {
    const { document } = await found(env, config);
    const winners = document.discovery.filter(({ state }) => state === 'wins');
    expect(winners.map(({ name, provider }) => `${provider} by ${name}`).join()).toBe(expected);
    expect(document.default?.provider ?? '').toBe(expected.split(' ')[0]);
  });

  it('[M-1 M-2] where the chosen one is asked, also when the environment leads it elsewhere', async () => {
    const led = await models({ ANTHROPIC_API_KEY: KEY, ANTHROPIC_BASE_URL: 'http://user:secret-word@h:8/x' });
    expect(led.out + led.err).not.toContain('secret-word');
    expect((await models({ ANTHROPIC_API_KEY: KEY, ANTHROPIC_BASE_URL: 'http://h:8/x' })).out).toContain('asked at http://h:8/x\n');
    expect((await models({ ANTHROPIC_API_KEY: KEY })).out).toContain('asked at https://api.anthropic.com/v1\n');
  });

  it('[M-2] every place is listed in its order, and what each would give', async () => {
    const { document } = await found({ GEMINI_API_KEY: KEY, GOOGLE_GENERATIVE_AI_API_KEY: KEY });
    expect(document.discovery.map(({ name, state }) => [name, state])).toEqual([
      ['default', 'absent'],
      ['ANTHROPIC_API_KEY', 'absent'],
      ['OPENAI_API_KEY', 'absent'],
      ['GEMINI_API_KEY', 'wins'],
      ['GOOGLE_GENERATIVE_AI_API_KEY', 'passed-over'],
      [NOWHERE, 'absent'],
    ]);
    expect(document.discovery.slice(1, 5).every(({ model }) => typeof model === 'string')).toBe(true);
    expect(document.discovery.at(-1)?.detail).toBe('nobody answers there');
  });

  it.each([
    ['with a model, when there is no key', { env: {}, models: ['qwen3:8b', 'b'] }, { state: 'wins', detail: null }],
    ['with a model, behind a key', { env: { ANTHROPIC_API_KEY: KEY }, models: ['qwen3:8b'] }, { state: 'passed-over', detail: null }],
    ['without a model', { env: {}, models: [] }, { state: 'absent', detail: 'it has no model yet: ollama pull qwen3:8b' }],
    ['that is silent', { env: {}, models: null }, { state: 'absent', detail: 'no answer within 200 ms' }],
  ])('[M-2] an Ollama %s', (_name, { env, models: names }, place) => {
    const ollama = { address: NOWHERE, models: names, trouble: names === null ? 'no answer within 200 ms' : null };
    const document = modelsDocument({ home: null, config: EMPTY_CONFIG, env, ollama });
    expect(document.discovery.at(-1)).toMatchObject({ place: 'ollama', ...place });
    expect(document.default?.provider === 'ollama').toBe(place.state === 'wins');
  });

  it('[M-2 S-2] keys are never shown, in either form', async () => {
    const config =
      'intelligences: { a: { provider: anthropic, model: m, base-url: "https://me:hidden-word@h/v1?token=hidden-word", api-key-env: ANTHROPIC_API_KEY } }';
    for (const words of [[], ['--json']]) {
      const { out, err, code } = await models({ ANTHROPIC_API_KEY: KEY }, { config, words });
      expect(code).toBe(0);
      expect(out + err).not.toMatch(/a-very-secret|hidden-word/);
      expect(out).toContain('https://***@h/v1?***');
    }
  });
});

describe('rows', () => {
  const config = [
    'intelligences:',
    '  own: { provider: openai-compatible, model: m, base-url: "http://h:1", reasoning: low, max-output-tokens: 9, price: { input: 1.5, output: 2, cache-read: 0 } }',
    '  listed: { provider: anthropic, model: claude-haiku-5-5 }',
    '  elsewhere: { provider: anthropic, model: claude-haiku-5-5, base-url: "http://h:1" }',
    '  keyless: { provider: anthropic, model: claude-next-9, api-key-env: GONE }',
  ].join('\n');

  it('[M-1 M-3] each with its price and where that is from', async () => {
    const { document } = await found({ ANTHROPIC_API_KEY: KEY }, config);
    const [own, listed, elsewhere, keyless] = document.rows;
    expect(own).toMatchObject({
      reasoning: 'low',
      max_output_tokens: 9,
      base_url: 'http://h:1',
      address: 'http://h:1/v1',
      key: null,
      usable: true,
    });
    expect(own?.price).toEqual({
      input: 1.5,
      output: 2,
      cache_read: 0,
      cache_write: null,
      long_prompt: null,
      source: 'row',
      date: null,
      until: null,
    });
    expect(listed?.price).toMatchObject({
      source: 'table',
      date: expect.stringMatching(/^\d{4}-\d\d-\d\d$/),
      long_prompt: { tokens: 100_000 },
    });
    expect(listed).toMatchObject({ context: 1_000_000, key: { variable: 'ANTHROPIC_API_KEY', present: true } });
    expect(elsewhere?.price).toBeNull();
    expect(keyless).toMatchObject({
      usable: false,
      price: null,
      context: null,
      key: { variable: 'GONE', present: false },
      fix: 'export GONE=…',
    });
  });

  it('[I-1] what cannot be used is said with its repair', async () => {
    const { out } = await models({}, { config });
    expect(out).toContain('cannot be used   keyless');
    expect(out).toContain('export GONE=…');
  });
});

describe('exit codes and shape', () => {
  it('[I-1] nothing found is 1, and the ways out are on standard error', async () => {
    const { code, err, out } = await models({});
    expect(code).toBe(1);
    expect(out).toContain('none found');
    for (const way of ['export ANTHROPIC_API_KEY=…', 'OPENAI_API_KEY', 'ollama pull', 'config.yaml', '--rehearse'])
      expect(err).toContain(way);
  });

  it('[I-1] a row that lacks its key is not found either', async () => {
    const { code, err } = await models({}, { config: 'intelligences: { default: { provider: anthropic, model: m } }' });
    expect(code).toBe(1);
    expect(err).toContain('export ANTHROPIC_API_KEY=…');
  });

  it('[I-1 I-11] a broken config is refused with its line', async () => {
    const { code, err, out } = await models({}, { config: 'timeout: 3\nintelligances: {}\n', words: ['--json'] });
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err).toMatch(/key-unknown +home:config\.yaml\n.*Line 2: .*intelligences/);
  });

  it('[I-1] a word too many is misuse', async () => {
    expect((await models({}, { words: ['all'] })).code).toBe(2);
  });

  it.each([40, 80, 200])('[I-3] at %d columns no line of rows and places is longer', async (width) => {
    const config =
      'intelligences: { local: { provider: ollama, model: "qwen3:8b", reasoning: low }, hk: { provider: anthropic, model: claude-haiku-5-5 } }';
    const { out } = await models({ ANTHROPIC_API_KEY: KEY }, { config, width });
    const rows = out.split('\n').filter((line) => line.startsWith(' ') && !line.startsWith('          '));
    expect(rows.length).toBeGreaterThan(6);
    expect(rows.filter((line) => line.length > width)).toEqual([]);
  });

  it('[I-3] what a row says cannot steer the terminal', async () => {
    const { out } = await models({}, { config: 'intelligences: { "a\\e[2J": { provider: ollama, model: "m\\e]0;x\\a" } }' });
    expect(out).not.toMatch(/[\x00-\x09\x0b-\x1f]/);
    expect(out).toContain(String.raw`a\x1b[2J`);
  });
});

describe('addresses as they may be shown', () => {
  it.each([
    ['https://h/v1', 'https://h/v1'],
    ['http://h:1', 'http://h:1'],
    ['http://h:1/', 'http://h:1/'],
    ['https://me:pass@h/x?key=1', 'https://***@h/x?***'],
    ['me:pass@h:8080', '***@h:8080'],
    ['h:8080', 'h:8080'],
  ])('[S-2] %s', (address, shown) => {
    expect(publicAddress(address)).toBe(shown);
  });
});
