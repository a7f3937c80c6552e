import { expect, it } from 'vitest';
import { readConfig } from '../../src/plan/config/read.js';
import { prepare } from '../../src/plan/prepare.js';
import { assembly, ground, invocation, plant, stage } from './ground.js';

it('[O-5 M-1 I-5 S-2] a whole config is read', () => {
  const outcome = readConfig(`
intelligences:
  default: {provider: anthropic, model: some-model, reasoning: high}
  local:
    provider: openai-compatible
    model: qwen
    base-url: http://127.0.0.1:8080/v1
    api-key-env: LOCAL_KEY
    max-output-tokens: 4096
    price: {input: 1, output: 2.5, cache-read: 0, cache-write: 0.5}
intelligence: local
timeout: 60
retries: 0
local-context: announce
deadline: 900
max-cost: 1.5
scrub: [MY_*]
gate-env: [CI_TOKEN]
agent-env: []
redact: [DB_PASSWORD]
`);
  expect(outcome.ok && outcome.value).toEqual({
    intelligences: {
      default: { provider: 'anthropic', model: 'some-model', reasoning: 'high' },
      local: {
        provider: 'openai-compatible',
        model: 'qwen',
        baseUrl: 'http://127.0.0.1:8080/v1',
        apiKeyEnv: 'LOCAL_KEY',
        maxOutputTokens: 4096,
        price: { input: 1, output: 2.5, cacheRead: 0, cacheWrite: 0.5 },
      },
    },
    options: { intelligence: 'local', timeout: 60, retries: 0, localContext: 'announce' },
    deadline: 900,
    maxCost: 1.5,
    scrub: ['MY_*', 'LOCAL_KEY'],
    gateEnv: ['CI_TOKEN'],
    agentEnv: [],
    redact: ['DB_PASSWORD', 'LOCAL_KEY'],
  });
});

it.each(['', '\n', '# nothing yet\n', '{}'])('[O-5] an empty config is no config: %j', (text) => {
  const outcome = readConfig(text);
  expect(outcome.ok && outcome.value.intelligences).toEqual({});
  expect(outcome.ok && outcome.value.scrub).toContain('*_API_KEY');
});

const ROW = 'intelligences:\n  a:\n    provider: p\n    model: m\n';
it.each([
  ['- a\n', 'value-invalid', 'Line 1: It must be a map'],
  ['a: 1\na: 2\n', 'frontmatter-invalid', 'Line 2'],
  ['timeout: 60\nretires: 1\n', 'key-unknown', 'Line 2: There is no key "retires" here. Did you mean retries?'],
  ['zzz: 1\n', 'key-unknown', 'The keys are intelligences'],
  ['timeout: "60"\n', 'value-invalid', 'Line 1: timeout must be'],
  ['deadline: 0\n', 'value-invalid', 'deadline must be seconds'],
  ['max-cost: free\n', 'value-invalid', 'max-cost must be US dollars'],
  ['scrub: MY_KEY\n', 'value-invalid', 'scrub must be a list'],
  ['redact: [a b]\n', 'value-invalid', 'redact must be a list'],
  ['intelligences: [a]\n', 'value-invalid', 'must map names to rows'],
  ['intelligences:\n  a: sonnet\n', 'value-invalid', 'Line 2: The intelligence "a" must be a map'],
  ['intelligences:\n  b:\n    model: m\n', 'key-missing', 'Line 2: The intelligence "b" has no provider.'],
  [`${ROW}    modle: x\n`, 'key-unknown', 'Line 5: There is no key "modle" here. Did you mean model?'],
  [`${ROW}    reasoning: hgih\n`, 'value-invalid', 'Line 5: reasoning must be one of none, minimal, low, medium, high, xhigh (high?)'],
  [`${ROW}    base-url: ftp://x\n`, 'value-invalid', 'Line 5: base-url must be an http or https address'],
  [`${ROW}    base-url: ftp://u:hidden@x\n`, 'value-invalid', 'http or https address; it is "ftp://***@x"'],
  [`${ROW}    max-output-tokens: 0\n`, 'value-invalid', 'Line 5: max-output-tokens'],
  [`${ROW}    price: 3\n`, 'value-invalid', 'Line 5: price must be a map'],
  [`${ROW}    price:\n      input: 1\n`, 'key-missing', 'Line 5: price has no output.'],
  [`${ROW}    price:\n      input: -1\n      output: 1\n`, 'value-invalid', 'Line 6: input must be'],
])('[O-5 I-11] %j is refused with its line', (text, code, message) => {
  const outcome = readConfig(text);
  expect(outcome.ok ? [] : outcome.refusals).toMatchObject([{ code, path: 'home:config.yaml' }]);
  expect(outcome.ok ? '' : outcome.refusals[0]?.message).toContain(message);
});

it('[S-2] a key that was put where its variable belongs is never repeated', () => {
  const outcome = readConfig(`${ROW}    api-key-env: sk-live-0123456789\n`);
  expect(outcome.ok ? [] : outcome.refusals.map(({ code }) => code)).toEqual(['value-invalid']);
  expect(JSON.stringify(outcome)).not.toContain('sk-live');
});

it('[O-5] a name like a property of every object is no row', async () => {
  const at = ground(assembly({ '01-a.md': stage('W.', 'intelligence: constructor\n') }));
  plant(at.root, { 'home/config.yaml': ROW });
  const outcome = await prepare(invocation({ purpose: 'run', request: { words: ['x'], none: false } }), at.ports);
  expect(outcome.ok ? [] : outcome.refusals.map(({ code }) => code)).toEqual(['intelligence-unresolved']);
});

it.each([
  ['bytes that are no text', Uint8Array.from([0xff, 0xfe]), 'It is not UTF-8 text.'],
  ['too much', 'a'.repeat(1024 * 1024 + 1), 'It is larger than 1 MiB.'],
])('[O-5] a config of %s is refused', async (_, content, message) => {
  const at = ground(assembly({ '01-a.md': stage() }));
  plant(at.root, { 'home/config.yaml': content });
  const outcome = await prepare(invocation(), at.ports);
  expect(outcome.ok ? [] : outcome.refusals).toMatchObject([{ path: 'home:config.yaml', message }]);
});

it('[O-5] a config that is a folder is refused, not taken for absent', async () => {
  const at = ground(assembly({ '01-a.md': stage() }));
  plant(at.root, { 'home/config.yaml': { dir: true } });
  const outcome = await prepare(invocation(), at.ports);
  expect(outcome.ok ? [] : outcome.refusals).toMatchObject([{ code: 'unreadable', path: 'home:config.yaml' }]);
});
