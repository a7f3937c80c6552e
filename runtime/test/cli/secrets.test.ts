import { mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { FORMATS } from '../../src/reports/formats.js';
import { COMMANDS } from '../../src/cli/commands.js';
import { main } from '../../src/cli/main.js';
import { answering, stream } from '../models/loopback.js';
import { calls, type Line, plant, sh, stage, stops, wrote } from '../run/ground.js';
import { fakeIo } from './io.js';

/** One by the name of its variable, one by the home's `redact`, one as a header. Each may also be a file's name. */
const KEY = 'planted-key-4711-aaaa';
const MINE = 'planted-url-0815-bbbb';
const HEADER = 'planted-head-1234-cccc';
const SECRETS = /planted-(?:key|url|head)-\d/;
const ALL = `${KEY} ${MINE} ${HEADER}`;
const S = '01-a';

const root = realpathSync(mkdtempSync(join(tmpdir(), 'w-')));
afterAll(() => rmSync(root, { recursive: true, force: true }));
const home = join(root, 'home');
const runs = join(home, 'runs');
const ENV = {
  ...{ HOME: root, FLOW_HOME: home, PATH: process.env['PATH'], XDG_CACHE_HOME: join(root, 'cache'), OLLAMA_HOST: 'http://127.0.0.1:1' },
  ...{ PLANTED_API_KEY: KEY, DATABASE_URL: MINE, OTEL_EXPORTER_OTLP_HEADERS: `authorization=Bearer%20${HEADER}` },
};

interface Answer {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

async function flow(words: readonly string[], more: Parameters<typeof fakeIo>[0] = {}): Promise<Answer> {
  const io = fakeIo({ env: ENV, cwd: join(root, 'work'), ...more });
  const code = await main(words, io);
  return { code, out: io.printed(), err: io.said() };
}

function script(name: string, lines: readonly Line[]): string {
  writeFileSync(join(root, name), lines.map((line) => JSON.stringify(line)).join('\n'));
  return join(root, name);
}

/** In the order in which they were made. */
const made: string[] = [];

const leak = `echo "${ALL}"; echo "$PLANTED_API_KEY $DATABASE_URL" >&2`;
const LINES = [
  calls(S, 'bash', { command: leak }),
  calls(S, 'bash', { command: `: > ${KEY}.txt; ls; exit 3` }),
  calls(S, 'read', { path: `/nowhere/${KEY}/${MINE}` }),
  calls(S, 'edit', { path: `${KEY}.txt`, edits: [{ old: MINE, new: HEADER }] }),
  calls(S, `no-such-tool-${KEY}`, { [MINE]: HEADER }),
  wrote(S, ALL),
];

/** Two runs that fail and one that passes; each has told the model, its gates and its hooks all the secrets. */
beforeAll(async () => {
  mkdirSync(join(root, 'work'));
  mkdirSync(home, { mode: 0o700 });
  writeFileSync(join(home, 'config.yaml'), 'redact: [DATABASE_URL]\n', { mode: 0o600 });
  plant(join(root, 'a'), {
    'ASSEMBLY.md': `---\n---\nHelp ${ALL}.\n`,
    'flows/main/FLOW.md': `---\ndescription: A flow of ${ALL}\n---\nThe way of ${ALL}.\n`,
    [`flows/main/${S}/STAGE.md`]: stage(`Work on ${ALL}.`, 'retries: 1\n'),
    [`flows/main/${S}/gate/01-${KEY}.sh`]: sh(`${leak}; grep -q good "$1"`),
    [`flows/main/${S}/before.sh`]: sh(leak),
    [`flows/main/${S}/failure.sh`]: sh(leak),
    [`flows/main/${S}/success.sh`]: sh(leak),
    [`flows/main/${S}/.fixtures/fail/${MINE}.txt`]: `bad ${ALL}`,
    [`flows/main/${S}/.fixtures/pass/good.txt`]: `good ${ALL}`,
  });
  writeFileSync(join(root, 'request.txt'), `Please use ${ALL}\n`);
  const bad = script('bad.jsonl', [...LINES, stops(S, { text: `I said ${ALL}` }), stops(S, { text: ALL })]);
  const good = script('good.jsonl', [...LINES, wrote(S, `good ${ALL}`), stops(S, { text: ALL })]);
  for (const file of [bad, bad, good]) {
    const { code, err } = await flow(['run', '../a', '@../request.txt', '--script', file, '-v', '--correlation', KEY]);
    expect(err).not.toMatch(SECRETS);
    expect(code, err).toBe(file === good ? 0 : 1);
    made.push(...readdirSync(runs).filter((name) => /-[0-9a-f]{4}$/.test(name) && !made.includes(name)));
  }
  mkdirSync(join(root, 'work/sub'));
});

function reading(): readonly (readonly string[])[] {
  const [one = '', two = '', passed = ''] = made;
  return [
    ...[['list'], ['list', '--json'], ['diff', one, two], ['diff', one, passed], ['diff', one, passed, '--json']],
    ...[one, passed].flatMap((run) => [
      ...[
        ['show', run],
        ['show', run, '--json'],
        ['show', run, S],
        ['show', run, S, '--json'],
        ['show', run, '--all'],
      ],
      ...[
        ['events', run],
        ['events', run, '--jsonl'],
        ['session', run, S],
        ['session', run, S, '--json'],
        ['request', run],
      ],
      ...[
        ['checks', run],
        ['checks', run, '--json'],
        ['verify', run],
        ['verify', run, '--json'],
      ],
      ...FORMATS.map(({ name }) => ['report', run, '--format', name]),
      ['report', run, '--format', 'otlp', '--contents'],
      ['resume', run, '--plan', '--script', '../bad.jsonl'],
      ['resume', run, '--plan', '--json', '--script', '../bad.jsonl'],
    ]),
  ];
}

const HERE: readonly (readonly string[])[] = [
  ...['text', 'mermaid', 'svg', 'json'].map((format) => ['graph', '../a', '--format', format]),
  ...[
    ['check', '../a'],
    ['check', '../a', '--json'],
    ['check', '../a', '--rehearse', '--json'],
  ],
  ...[
    ['gate', '../a', '-v'],
    ['gate', '../a', '--json'],
    ['gate', `../a/flows/main/${S}`, '../request.txt'],
  ],
  ...[
    ['doctor', '--offline'],
    ['doctor', '--offline', '--json'],
    ['models'],
    ['models', '--json'],
    ['prune', '--keep', '1'],
    ['prune', '--keep', '1', '--json'],
  ],
  ...[
    ['new', `./${KEY}`],
    ['new', `./${MINE}`, '--json'],
    ['keygen', `./${MINE}.pem`],
    ['completion', 'bash'],
  ],
];

/** Mistakes that quote what was typed. */
const MISTAKES: readonly (readonly string[])[] = [
  [MINE],
  ['help', MINE],
  ...COMMANDS.map(({ name }) => [name, `--${MINE}`]),
  ...COMMANDS.map(({ name }) => [name, `${MINE}`, KEY, HEADER, MINE]),
  ...['run', 'check', 'gate', 'stage', 'graph', 'watch'].map((name) => [name, `./${MINE}/${KEY}`]),
  ...['show', 'diff', 'verify', 'resume', 'replay', 'cancel'].map((name) => [name, MINE, KEY]),
  ...['run', 'check'].map((name) => [name, '../a', '--model', MINE]),
  ...['run', 'check'].map((name) => [name, '../a', `@./${MINE}`]),
  ...['run', 'check'].map((name) => [name, '../a', '--slot', `${MINE}=${KEY}`, '--timeout', HEADER]),
  ['run', '../a', '--script', `./${MINE}`],
  ['list', '--limit', MINE],
  ['completion', MINE],
  ['graph', '../a', '--format', MINE],
  ['list', '--log-level', MINE],
  ['keygen', `/dev/null/${MINE}`],
  ['report', 'latest', '--format', MINE],
  ['report', 'latest', '--format', 'junit', '--output', `/dev/null/${MINE}`],
];

describe('no secret is shown', () => {
  it('[S-2 I-2 R-10] by any command that reads a run, in any format', async () => {
    for (const words of reading()) {
      const { code, out, err } = await flow(words);
      expect(`${out}${err}`, words.join(' ')).not.toMatch(SECRETS);
      expect(words[0] === 'resume' ? [0, 2] : [0, 1], `${words.join(' ')}: ${err}`).toContain(code);
      // A run that passed has no annotations.
      if (!['verify', 'resume'].includes(words[0] ?? '') && !words.includes('github')) expect(out, words.join(' ')).not.toBe('');
    }
    const shown = await flow(['session', made[0] ?? '', S]);
    expect(shown.out).toContain('*** *** ***');
  });

  it('[S-2 K-1 G-10] by any command about an assembly or the surroundings', async () => {
    for (const words of HERE) {
      const { out, err } = await flow(words);
      expect(`${out}${err}`, words.join(' ')).not.toMatch(SECRETS);
      expect(out, `${words.join(' ')}: ${err}`).not.toBe('');
    }
  });

  it('[S-2 I-1] by any mistake that quotes what was typed', async () => {
    for (const words of MISTAKES) {
      const { code, out, err } = await flow(words);
      expect(`${out}${err}`, words.join(' ')).not.toMatch(SECRETS);
      expect([0, 1, 2], words.join(' ')).toContain(code);
    }
  });

  it('[S-2 M-7 G-11] by a run, its document, its repetition and a stage alone', async () => {
    const [one = ''] = made;
    const commands: readonly (readonly string[])[] = [
      ['run', '../a', ALL, '--script', '../bad.jsonl', '--json'],
      ['resume', one, '--script', '../bad.jsonl'],
      ['replay', one],
      ['replay', one, '--json'],
      ['stage', `../a/flows/main/${S}`, '--from', one, '--script', '../bad.jsonl'],
    ];
    for (const words of commands) {
      const { code, out, err } = await flow(words);
      expect(`${out}${err}`, words.join(' ')).not.toMatch(SECRETS);
      expect(code, `${words.join(' ')}: ${err}`).toBeLessThan(2);
    }
  });

  it('[S-2 I-1] by watching, which ends when its reader does', async () => {
    const closed = new AbortController();
    let said = '';
    const heard = (text: string | Uint8Array): void => {
      said += Buffer.from(text).toString();
      if (/Watching\./.test(said)) closed.abort();
    };
    await flow(['watch', '../a'], { out: async (bytes) => heard(bytes), err: heard, outClosed: closed.signal });
    expect(said).toContain(S);
    expect(said).not.toMatch(SECRETS);
  });

  it('[S-2 I-3] in the log of the runtime', async () => {
    const file = join(root, 'flow.log');
    await flow(['run', '../a', ALL, '--script', '../bad.jsonl', '--log-level', 'debug', '--log-file', file]);
    await flow(['show', MINE, '--log-level', 'debug', '--log-file', file]);
    const log = readFileSync(file, 'utf8');
    expect(log).toContain('"words"');
    expect(log).not.toMatch(SECRETS);
  });

  it('[S-2 M-1] to the model: neither in its instructions, nor in the request, nor in what its tools answer', async () => {
    const chunk = (delta: object, finish_reason: string | null = null) => ({
      ...{ id: 'c1', object: 'chat.completion.chunk', model: 'm' },
      choices: [{ index: 0, delta, finish_reason }],
    });
    const call = (name: string, input: object) =>
      stream([
        chunk({ tool_calls: [{ index: 0, id: 'c', type: 'function', function: { name, arguments: JSON.stringify(input) } }] }),
        chunk({}, 'tool_calls'),
        'data: [DONE]\n\n',
      ]);
    const done = stream([chunk({ role: 'assistant', content: 'Done.' }), chunk({}, 'stop'), 'data: [DONE]\n\n']);
    // What the model says is its own: here it writes each secret in two pieces, so that only the tool's answer has it whole.
    const pieces = [KEY, MINE, HEADER].map((secret) => `${secret.slice(0, 9)}""${secret.slice(9)}`).join(' ');
    const replies = [
      call('bash', { command: `echo ${pieces}; : > ${pieces.split(' ')[0] ?? ''}.txt; ls; exit 4` }),
      call('read', { path: '../request.txt' }),
      call('bash', { command: `echo bad > "$OUTPUT"` }),
      done,
      call('bash', { command: `echo good > "$OUTPUT"` }),
      done,
    ];
    const server = await answering((index) => replies[index] ?? done);
    try {
      writeFileSync(
        join(home, 'config.yaml'),
        `redact: [DATABASE_URL]\nintelligences: { default: { provider: openai-compatible, model: m, base-url: "${server.url}/v1", api-key-env: PLANTED_API_KEY } }\n`,
      );
      const { code, err } = await flow(['run', '../a', '@../request.txt']);
      expect(code, err).toBe(0);
      expect(server.seen.length).toBe(6);
      expect(server.seen[0]?.headers.authorization).toBe(`Bearer ${KEY}`);
      for (const { text } of server.seen) expect(text).not.toMatch(SECRETS);
      expect(server.seen.at(-1)?.text).toContain('***');
    } finally {
      await server.close();
      writeFileSync(join(home, 'config.yaml'), 'redact: [DATABASE_URL]\n');
    }
  });
});

describe('what a run keeps', () => {
  it('[S-2 O-6] has them in raw captures, outputs and the request alone, for their owner alone', () => {
    const kept = readdirSync(home, { recursive: true, withFileTypes: true });
    const secret: string[] = [];
    for (const entry of kept) {
      const path = join(entry.parentPath, entry.name);
      const shown = relative(home, path);
      const mode = statSync(path).mode & 0o777;
      expect((mode & 0o077).toString(8), `${shown} ${mode.toString(8)}`).toBe('0');
      // A record and its manifest name files as they are called.
      if (entry.isFile() && SECRETS.test(readFileSync(path, 'latin1').replaceAll(`01-${KEY}.sh`, ''))) secret.push(shown);
    }
    expect(statSync(home).mode & 0o777).toBe(0o700);
    const raw = /\/(?:request\.txt|assembly\/.*|stages\/.*\/(?:checks|hooks)\/.+|stages\/.*\/output\.txt)$/;
    expect(secret.length).toBeGreaterThan(0);
    expect(secret.filter((path) => !raw.test(path))).toEqual([]);
  });
});
