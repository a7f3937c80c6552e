import { describe, expect, it } from 'vitest';
import { configValues, judgeConfig } from '../../src/doctor/config.js';
import type { Finding } from '../../src/doctor/finding.js';
import { type HomeFacts, judgeHome } from '../../src/doctor/home.js';
import { judgeMachine } from '../../src/doctor/machine.js';
import { judgeModels, type ModelFacts } from '../../src/doctor/models.js';
import { type Endpoint, judgeNetwork } from '../../src/doctor/network.js';
import { isProxyAddress, proxiesIn, proxyFor } from '../../src/doctor/proxy.js';
import { judgeSurroundings, type SurroundingFacts } from '../../src/doctor/surroundings.js';
import { bytes, quoted } from '../../src/doctor/words.js';
import { EMPTY_CONFIG } from '../../src/plan/config/empty.js';
import { readConfig } from '../../src/plan/config/read.js';
import type { Asked, FolderFacts, Reached } from '../../src/ports/probe.js';

const said = (text: string, exit = 0): Asked => ({ asked: 'answered', exit, text });
const about = (findings: readonly Finding[], name: string) => findings.find((finding) => finding.about === name);
const shape = (finding: Finding | undefined) => `${finding?.verdict}: ${finding?.what}`;

describe('this machine', () => {
  const facts = { node: 'v22.1.0', platform: 'linux', git: said('git version 2.39.5\n'), sh: said(''), bash: said('5.2.15\n') };

  it.each([
    ['v20.19.0', 'ok'],
    ['v20.20.2', 'ok'],
    ['v24.0.0', 'ok'],
    ['v20.18.3', 'problem'],
    ['v18.20.0', 'problem'],
    ['v9.0.0', 'problem'],
  ])('[I-11] node %s is %s', (node, verdict) => {
    expect(about(judgeMachine({ ...facts, node }), 'node')?.verdict).toBe(verdict);
  });

  it.each([
    ['git', { git: { asked: 'absent' } }, 'note: not found'],
    ['git', { git: { asked: 'silent' } }, 'note: it does not answer'],
    ['git', { git: said('xcrun: error: no tools\nmore', 1) }, 'note: it ends with 1: xcrun: error: no tools'],
    ['git', {}, 'ok: 2.39.5'],
    ['sh', { sh: { asked: 'absent' } }, 'problem: not found on the PATH'],
    ['sh', { sh: said('', 126) }, 'problem: it does not run'],
    ['bash', { bash: { asked: 'absent' } }, 'note: not found on the PATH'],
    ['bash', {}, 'ok: 5.2.15'],
    ['system', { platform: 'freebsd' }, 'note: freebsd is not one that flow is tested on'],
  ] as const)('[I-11] %s, when %j', (name, more, expected) => {
    expect(shape(about(judgeMachine({ ...facts, ...more }), name))).toBe(expected);
  });
});

describe('the home', () => {
  const FREE = 1 << 30;
  const own: FolderFacts = { kind: 'folder', own: true, mode: 0o700, nearest: '/h', unwritable: null, executes: true, free: FREE };
  const facts: HomeFacts = { home: '/h', said: 'FLOW_HOME', folder: own, crashed: null, runs: null, scratch: { path: '/c', folder: own } };
  const homeIs = (folder: Partial<FolderFacts>) => judgeHome({ ...facts, folder: { ...own, ...folder } });

  it.each([
    ['home', {}, 'ok: /h (FLOW_HOME)'],
    [
      'home',
      { kind: 'absent', own: null, mode: null, executes: null, nearest: '/' },
      'ok: /h (FLOW_HOME) is not there yet; the first run makes it',
    ],
    ['home', { kind: 'absent', nearest: '/', unwritable: 'EACCES' }, 'problem: /h (FLOW_HOME) cannot be made: / is not writable (EACCES)'],
    ['home', { kind: 'link' }, 'problem: /h (FLOW_HOME) is a symbolic link'],
    ['home', { kind: 'other' }, 'problem: /h (FLOW_HOME) is no folder'],
    ['home', { kind: 'closed', own: null, mode: null, nearest: '/', unwritable: 'EACCES' }, 'problem: /h (FLOW_HOME) cannot be looked at'],
    ['home', { own: false }, 'problem: /h (FLOW_HOME) belongs to another user'],
    ['home', { unwritable: 'EROFS' }, 'problem: /h (FLOW_HOME) is not writable (EROFS)'],
    ['home', { unwritable: 'ENOSPC' }, 'problem: /h (FLOW_HOME): the disk is full (ENOSPC)'],
    ['mode', {}, 'ok: 0700: nobody else reads it'],
    ['mode', { mode: 0o755 }, 'note: 0755: others on this machine can look into it'],
    ['execution', { executes: false }, 'problem: programs in /h cannot be executed'],
    ['execution', { executes: null }, 'undefined: undefined'],
    ['space', { free: 19 << 20 }, 'problem: 19 MiB are free'],
    ['space', { free: 0 }, 'problem: 0 bytes are free'],
    ['space', { free: 100 << 20 }, 'note: only 100 MiB are free'],
    ['space', { free: null }, 'undefined: undefined'],
  ] as const)('[O-6 I-11] %s, when %j', (name, folder, expected) => {
    expect(shape(about(homeIs(folder), name))).toBe(expected);
  });

  it('[O-6] what is wrong comes with a command', () => {
    const wrong = [
      { kind: 'link' },
      { kind: 'other' },
      { own: false },
      { unwritable: 'EACCES' },
      { mode: 0o755 },
      { executes: false },
      { free: 0 },
    ] as const;
    for (const folder of wrong) expect(homeIs(folder).find(({ verdict }) => verdict !== 'ok')?.fix, JSON.stringify(folder)).toBeDefined();
  });

  it.each([
    ['--home', '--home is empty'],
    ['the usual place', 'neither HOME nor FLOW_HOME is set'],
  ])('[O-6] no home, by %s', (by, what) => {
    expect(shape(judgeHome({ ...facts, home: null, folder: null, said: by })[0])).toBe(`problem: ${what}`);
  });

  it.each([
    [null, 'undefined: undefined'],
    [{ count: 0, looked: 9, whole: true }, 'undefined: undefined'],
    [{ count: 1, looked: 9, whole: true }, 'note: 1 run ended without a last line'],
    [{ count: 2, looked: 900, whole: false }, 'note: 2 runs ended without a last line among the newest 900'],
  ])('[R-7 I-11] crashed runs %j', (crashed, expected) => {
    expect(shape(about(judgeHome({ ...facts, crashed }), 'crashed runs'))).toBe(expected);
  });

  it.each([
    [{}, 'ok: /c'],
    [{ unwritable: 'EACCES', nearest: '/' }, 'problem: nothing can be made in / (EACCES)'],
    [{ kind: 'other' }, 'problem: /c is no folder'],
    [{ kind: 'link' }, 'ok: /c'],
    [{ executes: false }, 'note: programs in /c cannot be executed'],
  ] as const)('[S-6 I-11] scratch, when %j', (folder, expected) => {
    expect(shape(about(judgeHome({ ...facts, scratch: { path: '/c', folder: { ...own, ...folder } } }), 'scratch'))).toBe(expected);
  });
});

describe('the configuration', () => {
  it('[I-11] a broken one names its line', () => {
    const read = readConfig('timeout: 1\nretrys: 2\n');
    expect(read.ok ? [] : judgeConfig(read)).toMatchObject([{ verdict: 'problem', what: expect.stringContaining('Line 2: ') }]);
  });

  it('[I-11] every value has its origin', () => {
    const read = readConfig(
      'timeout: 60\nredact: [A]\nscrub: []\nmax-cost: 2\nintelligences: { x: { provider: ollama, model: m, base-url: "http://u:pw@h?k=1" } }',
    );
    const values = read.ok ? configValues(read.value) : [];
    const of = (key: string) => values.filter((each) => each.key === key).map(({ value, from }) => [value, from]);
    expect(of('timeout')).toEqual([[60, 'home']]);
    expect(of('retries')).toEqual([[2, 'default']]);
    expect(of('max-cost')).toEqual([[2, 'home']]);
    expect(of('deadline')).toEqual([[null, 'default']]);
    expect(of('scrub')).toEqual([[[], 'home']]);
    expect(of('redact')).toEqual([[['A'], 'home']]);
    expect(of('intelligences.x.base-url')).toEqual([['http://***@h?***', 'home']]);
    expect(configValues(EMPTY_CONFIG).every(({ from }) => from === 'default')).toBe(true);
  });
});

describe('models', () => {
  const facts: ModelFacts = {
    env: {},
    variables: ['A_KEY', 'B_KEY'],
    default: null,
    rows: [],
    ollama: { address: 'http://h', models: null, trouble: 'nobody answers there' },
  };
  const found = { provider: 'p', model: 'm', found: 'A_KEY', from: 'environment', usable: true, problem: null, fix: null } as const;

  it('[I-11 M-2] the default, and why it is that', () => {
    expect(shape(about(judgeModels({ ...facts, default: found }), 'default'))).toBe('ok: p/m, by A_KEY');
    expect(shape(about(judgeModels(facts), 'default'))).toBe('problem: no model was found');
    const lame = { ...found, from: 'home', found: 'near', usable: false, problem: 'It lacks a key.', fix: 'export X=…' } as const;
    expect(about(judgeModels({ ...facts, default: lame }), 'default')).toMatchObject({
      verdict: 'problem',
      what: 'p/m, by the row near: it cannot be used',
      why: 'It lacks a key.',
      fix: 'export X=…',
    });
  });

  it.each([
    ['sk-0123456789', 'ok: set'],
    ['', 'note: set, but empty'],
    [' \n', 'note: set, but empty'],
    ['"sk-0123456789"', 'note: set, with quotation marks as part of it'],
    ['sk-0123 456789', 'note: set, with white space inside it'],
    ['sk-0123…', 'note: set, with characters that no key has'],
    ['sk-0123456789\n', 'ok: set'],
  ])('[I-11 S-2] a key %j', (key, expected) => {
    const findings = judgeModels({ ...facts, env: { A_KEY: key } });
    expect(shape(about(findings, 'A_KEY'))).toBe(expected);
    expect(shape(about(findings, 'keys'))).toBe('ok: not set: B_KEY');
    if (key.trim() !== '') expect(JSON.stringify(findings)).not.toContain('0123');
  });

  it.each([
    [null, 'ok: none at http://h: nobody answers there'],
    [[], 'note: at http://h, without a model'],
    [['a', 'b', 'c', 'd'], 'ok: at http://h, with a, b, c and 1 more'],
  ])('[I-11 M-2] an Ollama with %j', (models, expected) => {
    expect(shape(about(judgeModels({ ...facts, ollama: { ...facts.ollama, models } }), 'ollama'))).toBe(expected);
  });
});

describe('servers', () => {
  const endpoint: Endpoint = {
    provider: 'anthropic',
    models: ['m'],
    address: 'https://u:pw@api.example/v1',
    variable: 'A_KEY',
    rows: ['default'],
    isDefault: true,
  };
  const judge = (reached: Reached, more: Partial<Endpoint> = {}) =>
    judgeNetwork({ env: {}, endpoints: [{ endpoint: { ...endpoint, ...more }, reached }] })[0];
  const answered = (status: number, models: readonly string[] | null = null): Reached => ({ reached: 'answered', status, models });
  const failed = (trouble: Extract<Reached, { reached: 'failed' }>['trouble'], detail: string): Reached => ({
    reached: 'failed',
    trouble,
    detail,
  });

  it.each([
    [answered(200, ['m', 'n']), 'ok: it answers, and has m'],
    [answered(200, ['n']), 'note: it answers, and does not list m'],
    [answered(200, []), 'ok: it answers'],
    [answered(404), 'ok: it answers'],
    [answered(401), 'problem: it refuses (401)'],
    [answered(403), 'problem: it refuses (403)'],
    [answered(302), 'problem: it sends elsewhere (302)'],
    [answered(429), 'note: it answers with 429'],
    [answered(503), 'note: it answers with 503'],
    [failed('name', 'ENOTFOUND'), 'problem: its name is not found: ENOTFOUND'],
    [failed('refused', 'ECONNREFUSED'), 'problem: the connection is refused: ECONNREFUSED'],
    [failed('certificate', 'SELF_SIGNED_CERT_IN_CHAIN'), 'problem: its certificate is not trusted: SELF_SIGNED_CERT_IN_CHAIN'],
    [failed('silent', 'no answer within 5 s'), 'problem: no answer within 5 s'],
    [failed('proxy', '407'), 'problem: the proxy says no: 407'],
    [failed('other', 'ECONNRESET'), 'problem: it cannot be asked: ECONNRESET'],
  ])('[I-11] %j', (reached, expected) => {
    const finding = judge(reached);
    expect(shape(finding)).toBe(expected);
    expect(finding?.about).toBe('api.example');
    expect(JSON.stringify(finding)).not.toContain('pw');
  });

  it('[I-11] a server that only a row of another name asks stands in nobody’s way', () => {
    expect(judge(answered(401), { isDefault: false, rows: ['a', 'b'] })).toMatchObject({
      verdict: 'note',
      why: expect.stringContaining('Only stages that name a and b ask it.'),
    });
  });

  it('[I-11] offline nothing is said of a server', () => {
    expect(judgeNetwork({ env: {}, endpoints: [{ endpoint, reached: null }] })).toEqual([]);
  });

  it('[I-11 L-4] a refused connection through a proxy is the proxy’s', () => {
    const findings = judgeNetwork({
      env: { HTTPS_PROXY: 'http://me:pw@prox:8' },
      endpoints: [{ endpoint, reached: failed('refused', 'ECONNREFUSED') }],
    });
    expect(shape(about(findings, 'HTTPS_PROXY'))).toBe('ok: http://***@prox:8, for api.example');
    expect(about(findings, 'api.example')?.why).toBe('Nobody listens at prox:8.');
  });
});

describe('proxies', () => {
  it.each([
    ['https://api.example/v1', { HTTPS_PROXY: 'http://p:1' }, 'HTTPS_PROXY'],
    ['https://api.example/v1', { HTTP_PROXY: 'http://p:1' }, 'HTTP_PROXY'],
    ['http://api.example/v1', { HTTPS_PROXY: 'http://p:1' }, undefined],
    ['https://api.example/v1', { HTTPS_PROXY: 'http://p:1', https_proxy: '' }, undefined],
    ['https://api.example/v1', { HTTPS_PROXY: 'http://p:1', NO_PROXY: '*' }, undefined],
    ['https://api.example/v1', { HTTPS_PROXY: 'http://p:1', NO_PROXY: 'a.b, example' }, undefined],
    ['https://api.example/v1', { HTTPS_PROXY: 'http://p:1', NO_PROXY: '.api.example' }, undefined],
    ['https://api.example/v1', { HTTPS_PROXY: 'http://p:1', NO_PROXY: 'ample' }, 'HTTPS_PROXY'],
    ['https://api.example/v1', { HTTPS_PROXY: 'http://p:1', NO_PROXY: 'api.example:80' }, 'HTTPS_PROXY'],
    ['https://api.example/v1', { HTTPS_PROXY: 'http://p:1', no_proxy: 'api.example:443' }, undefined],
    ['http://127.0.0.1:11434', { HTTP_PROXY: 'http://p:1', NO_PROXY: '127.0.0.1' }, undefined],
  ])('[L-4] %s with %j goes through %s', (address, env, variable) => {
    expect(proxyFor(address, proxiesIn(env))?.variable).toBe(variable);
  });

  it.each([
    ['http://p:1', true],
    ['https://u:p@p', true],
    ['p:1', false],
    ['socks5://p:1', false],
    ['http://', false],
  ])('[I-11] %s as a proxy: %s', (value, good) => {
    expect(isProxyAddress(value)).toBe(good);
    const [first] = judgeNetwork({ env: { HTTPS_PROXY: value }, endpoints: [] });
    expect(first?.verdict).toBe(good ? 'ok' : 'problem');
  });

  it('[I-11] one that is not heeded is said', () => {
    expect(judgeNetwork({ env: { ALL_PROXY: 'http://p' }, endpoints: [] })).toMatchObject([{ about: 'ALL_PROXY', verdict: 'note' }]);
  });
});

describe('what is around it', () => {
  const facts: SurroundingFacts = {
    platform: 'linux',
    env: { DISPLAY: ':0' },
    agents: { claude: '/b/claude', codex: null },
    sandbox: { found: 'works', launcher: { file: '/b/bwrap', keeper: [], home: '/h' } },
    opener: '/b/xdg-open',
  };
  it.each([
    ['agents', {}, 'ok: found: claude; not found: codex'],
    ['sandbox', {}, 'ok: bubblewrap works'],
    ['sandbox', { sandbox: { found: 'absent', systems: ['debian'] } }, 'note: bubblewrap (bwrap) is not on the PATH'],
    [
      'sandbox',
      { sandbox: { found: 'forbidden', said: 'No permissions to create new namespace', container: false, setting: null } },
      'note: bubblewrap is there, but may not contain anything: No permissions to create new namespace',
    ],
    ['sandbox', { sandbox: { found: 'elsewhere', platform: 'darwin' } }, 'note: bubblewrap is for Linux alone, and this is darwin'],
    ['browser', {}, 'ok: /b/xdg-open'],
    ['browser', { env: {} }, 'note: /b/xdg-open is there, but no screen is'],
    ['browser', { env: {}, platform: 'darwin' }, 'ok: /b/xdg-open'],
    ['browser', { opener: null }, 'note: nothing here opens one'],
  ] as const)('[I-11 I-13] %s, when %j', (name, more, expected) => {
    expect(shape(about(judgeSurroundings({ ...facts, ...more }), name))).toBe(expected);
  });
});

describe('words', () => {
  it.each([
    [0, '0 bytes'],
    [1023, '1023 bytes'],
    [1 << 20, '1 MiB'],
    [5.9 * 2 ** 40, '5 TiB'],
  ])('[I-11] %d', (count, expected) => {
    expect(bytes(count)).toBe(expected);
  });

  it('[I-11] a path in a command is one word', () => {
    expect([quoted('/a/b-c.d'), quoted("/it's here"), quoted('')]).toEqual(['/a/b-c.d', String.raw`'/it'\''s here'`, "''"]);
  });
});
