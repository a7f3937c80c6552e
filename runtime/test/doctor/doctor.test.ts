import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { plantSuccess, planter, begin } from '../../../packages/record/test/plant-run.js';
import type { DoctorDocument } from '../../src/cli/doctor/document.js';
import { wrapped } from '../../src/cli/doctor/wrapped.js';
import { main } from '../../src/cli/main.js';
import { createClock } from '../../src/io/clock.js';
import { folderFacts } from '../../src/io/probe/folder.js';
import { createProbe } from '../../src/io/probe/probe.js';
import { askProgram } from '../../src/io/probe/program.js';
import { createManualClock } from '../../src/testing/manual-clock.js';
import { bundle, type Bundle, flow } from '../cli/bundle.js';
import { fakeIo } from '../cli/io.js';
import { judged } from '../models-command/judged.js';

const KEY = 'sk-a-very-secret-key';
const PATH = process.env['PATH'] ?? '';
let root: string;
let home: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'doctor-'));
  home = join(root, 'home');
});
afterEach(() => rmSync(root, { recursive: true }));

async function doctor(env: Record<string, string> = {}, words: readonly string[] = ['--offline'], width = 80) {
  const io = fakeIo({ env: { PATH, HOME: root, FLOW_HOME: home, OLLAMA_HOST: 'http://127.0.0.1:1', ...env }, cwd: '/', width });
  const code = await main(['doctor', ...words], io);
  return { code, out: io.printed(), err: io.said() };
}

async function found(env: Record<string, string> = {}, words: readonly string[] = ['--offline']) {
  const answer = await doctor(env, [...words, '--json']);
  const document = judged<DoctorDocument>(answer.out);
  return { ...answer, document, about: (name: string) => document.findings.find(({ about }) => about === name) };
}

async function served<T>(answer: RequestListener, use: (address: string) => Promise<T>): Promise<T> {
  const server = createServer(answer);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const at = server.address();
  try {
    return await use(`http://127.0.0.1:${typeof at === 'object' && at !== null ? at.port : 0}`);
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

describe('flow doctor', () => {
  it('[I-11 I-1] with a key nothing stands in the way; without one something does', async () => {
    const ready = await found({ ANTHROPIC_API_KEY: KEY });
    expect(ready).toMatchObject({ code: 0, err: '', document: { ready: true, home } });
    const bare = await found();
    expect(bare).toMatchObject({ code: 1, document: { ready: false } });
    expect(bare.about('default')).toMatchObject({ verdict: 'problem', fix: 'export ANTHROPIC_API_KEY=…' });
  });

  it('[I-11] makes no home, and leaves nothing behind', async () => {
    await doctor({ ANTHROPIC_API_KEY: KEY });
    expect(readdirSync(root)).toEqual([]);
    mkdirSync(home, { mode: 0o700 });
    mkdirSync(join(root, '.cache'));
    await doctor({ ANTHROPIC_API_KEY: KEY });
    expect([readdirSync(home), readdirSync(join(root, '.cache'))]).toEqual([[], []]);
  });

  it('[I-11 S-2] never shows a key, a password or a declared secret, in either form', async () => {
    mkdirSync(home, { mode: 0o700 });
    writeFileSync(
      join(home, 'config.yaml'),
      'redact: [MINE]\nintelligences: { default: { provider: anthropic, model: my-own-secret, base-url: "https://u:hidden-word@h" } }',
    );
    const env = { ANTHROPIC_API_KEY: KEY, HTTPS_PROXY: 'http://u:hidden-word@127.0.0.1:1', MINE: 'my-own-secret' };
    for (const words of [['--offline'], ['--offline', '--json']])
      expect((await doctor(env, words)).out).not.toMatch(/very-secret|hidden-word|my-own-secret/);
  });

  it('[I-11 I-1] a broken config is a finding with its line, not an end', async () => {
    mkdirSync(home, { mode: 0o700 });
    writeFileSync(join(home, 'config.yaml'), 'timeout: 5\nretrys: 1\n');
    const { code, about, document } = await found({ ANTHROPIC_API_KEY: KEY });
    expect(code).toBe(1);
    expect(about('config.yaml')).toMatchObject({ verdict: 'problem', what: expect.stringContaining('Line 2: ') });
    expect(document.config).toEqual([]);
  });

  it('[O-6 I-11] the mode of the home and what kind of thing it is', async () => {
    mkdirSync(home);
    chmodSync(home, 0o755);
    expect((await found()).about('mode')).toMatchObject({ verdict: 'note', fix: `chmod 700 ${home}` });
    symlinkSync(home, join(root, 'link'));
    expect((await found({ FLOW_HOME: join(root, 'link') })).about('home')).toMatchObject({ verdict: 'problem' });
    writeFileSync(join(root, 'file'), '');
    expect((await found({ FLOW_HOME: join(root, 'file') })).about('home')).toMatchObject({ verdict: 'problem' });
  });

  it('[R-7 I-11] runs that died are counted, others are not', async () => {
    mkdirSync(join(home, 'runs'), { recursive: true });
    plantSuccess(join(home, 'runs/2026-07-30T14-22-08-a3f9'));
    begin(planter(join(home, 'runs/2026-07-30T14-22-09-a3f9')));
    expect((await found()).about('crashed runs')?.what).toBe('1 run ended without a last line');
  });

  it('[I-1] no home at all is a problem, a word too many is misuse', async () => {
    expect((await found({ FLOW_HOME: '', HOME: '' })).about('home')?.what).toBe('neither HOME nor FLOW_HOME is set');
    expect((await found({}, ['--offline', '--home', ''])).about('home')?.what).toBe('--home is empty');
    expect((await doctor({}, ['now'])).code).toBe(2);
  });

  it.each([40, 60, 80])('[I-3] at %d columns sentences are wrapped, commands and paths are not', async (width) => {
    const { out } = await doctor({}, ['--offline'], width);
    const long = out.split('\n').filter((line) => line.length > width && line.trim().split(' ').length > 2);
    expect(long.filter((line) => !/^ +(?:apt|export|chmod) /.test(line))).toEqual([]);
    expect(out).toContain('export ANTHROPIC_API_KEY=…');
  });

  it('[I-3] a long word stands alone in one piece', () => {
    const path = `/${'x'.repeat(60)}`;
    expect(wrapped(`it is in ${path} now`, 30)).toEqual(['it is in', path, 'now']);
  });
});

describe('the servers that are asked', () => {
  const row = (address: string) =>
    `intelligences: { default: { provider: openai-compatible, model: m, base-url: "${address}", api-key-env: MY_API_KEY } }`;
  const ask = async (answer: RequestListener) =>
    served(answer, async (address) => {
      mkdirSync(home, { mode: 0o700 });
      writeFileSync(join(home, 'config.yaml'), row(address));
      const { about, code } = await found({ MY_API_KEY: KEY }, []);
      return { finding: about(address.replace('http://', '')), code };
    });

  it('[I-11] are sent the key and no prompt', async () => {
    const asked: unknown[] = [];
    const { finding, code } = await ask((request, response) => {
      asked.push([request.method, request.url, request.headers.authorization]);
      response.end(JSON.stringify({ data: [{ id: 'm' }] }));
    });
    expect({ finding, code }).toMatchObject({ code: 0, finding: { verdict: 'ok', what: 'it answers, and has m' } });
    expect(asked).toEqual([['GET', '/v1/models', `Bearer ${KEY}`]]);
  });

  it('[I-11] a key that is refused is a problem', async () => {
    const { finding, code } = await ask((_request, response) => void response.writeHead(401).end('no'));
    expect({ finding, code }).toMatchObject({ code: 1, finding: { what: 'it refuses (401)', fix: 'export MY_API_KEY=…' } });
  });

  it('[I-11] a redirection is not followed with the key', async () => {
    let seen = 0;
    const { finding } = await ask((_request, response) => {
      seen += 1;
      response.writeHead(302, { location: '/elsewhere' }).end();
    });
    expect(finding?.what).toBe('it sends elsewhere (302)');
    expect(seen).toBe(1);
  });

  it.each([
    ['no JSON', '<html>'],
    ['another shape', '{"data": {"id": 1}}'],
    ['hostile rows', '{"data": [null, {"id": {}}, {"name": 7}]}'],
    ['nothing', ''],
  ])('[I-11] an answer of %s is an answer', async (_name, body) => {
    expect((await ask((_request, response) => void response.end(body))).finding?.what).toBe('it answers');
  });

  it('[I-11] nobody there, and a name that is none', async () => {
    const probe = createProbe({ PATH }, createClock());
    const gone = await served(
      () => undefined,
      async (address) => address,
    );
    expect(await probe.reach({ url: `${gone}/v1/models`, headers: {} })).toMatchObject({
      reached: 'failed',
      trouble: 'refused',
    });
    expect(await probe.reach({ url: 'http://no-such-host.invalid/v1/models', headers: {} })).toMatchObject({
      reached: 'failed',
      trouble: 'name',
    });
    expect(await probe.reach({ url: 'http://h/', headers: { bad: 'a\nb' } })).toMatchObject({ reached: 'failed', trouble: 'other' });
  });

  it('[I-11] one that is silent, or never ends, has five seconds', async () => {
    const silent = async (answer: RequestListener) =>
      served(answer, async (url) => {
        const clock = createManualClock();
        let began: (() => void) | undefined;
        const asked = new Promise<void>((resolve) => (began = resolve));
        const probe = createProbe({ PATH }, { ...clock, after: (ms, act) => (began?.(), clock.after(ms, act)) });
        const reached = probe.reach({ url, headers: {} });
        await asked;
        await clock.advance(5000);
        return reached;
      });
    expect(await silent(() => undefined)).toEqual({ reached: 'failed', trouble: 'silent', detail: 'no answer within 5 s' });
    expect(await silent((_request, response) => void response.write('{'))).toMatchObject({ trouble: 'silent' });
  });
});

describe('probing the machine', () => {
  it('[O-6 I-11] a folder of one’s own is tried, and left as it was', async () => {
    const facts = await folderFacts(root);
    expect(facts).toMatchObject({ kind: 'folder', own: true, nearest: root, unwritable: null, executes: true, free: expect.any(Number) });
    expect(readdirSync(root)).toEqual([]);
  });

  it('[I-11] what is absent is judged by the nearest folder that is there', async () => {
    expect(await folderFacts(join(root, 'a/b'))).toMatchObject({
      kind: 'absent',
      nearest: root,
      unwritable: null,
      executes: null,
      mode: null,
    });
    writeFileSync(join(root, 'file'), '');
    expect(await folderFacts(join(root, 'file/below'))).toMatchObject({ kind: 'other', nearest: root });
    expect(existsSync(join(root, 'a'))).toBe(false);
  });

  it('[I-11] what cannot be written says so, to root as well', async () => {
    expect((await folderFacts('/proc')).unwritable).not.toBeNull();
  });

  it('[I-11] programs are found on the PATH alone, and only what can be executed', async () => {
    writeFileSync(join(root, 'tool'), '#!/bin/sh\n');
    mkdirSync(join(root, 'folder'));
    const probe = createProbe({ PATH: `:${root}` }, createClock());
    expect(await probe.find('tool')).toBeNull();
    chmodSync(join(root, 'tool'), 0o755);
    expect(await probe.find('tool')).toBe(join(root, 'tool'));
    expect(await probe.find('folder')).toBeNull();
    expect(statSync(join(root, 'tool')).size).toBe(10);
  });

  it('[I-11] a program’s answer is cut, and its failure is an answer', async () => {
    expect(await askProgram(['sh', '-c', 'echo out; echo err >&2; exit 3'], { PATH })).toEqual({
      asked: 'answered',
      exit: 3,
      text: 'out\nerr',
    });
    expect(await askProgram(['no-such-program'], { PATH })).toEqual({ asked: 'absent' });
    expect(await askProgram(['sh', '-c', 'kill -9 $$'], { PATH })).toEqual({ asked: 'silent' });
    const much = await askProgram(['sh', '-c', 'yes | head -c 100000'], { PATH });
    expect(much).toEqual({ asked: 'answered', exit: 0, text: 'y\n'.repeat(2048) });
    const endless = await askProgram(['yes'], { PATH });
    expect(endless.asked === 'answered' ? endless.text.length : 0).toBeLessThanOrEqual(4096);
  });
});

describe('the built command', () => {
  let built: Bundle;
  beforeAll(async () => {
    built = await bundle();
  });
  afterAll(() => built.remove());

  it('[I-11 I-2] prints its document and its code', async () => {
    const { code, out } = await flow(built, ['doctor', '--offline', '--json'], { env: { OPENAI_API_KEY: KEY } });
    expect(judged<DoctorDocument>(out.toString()).findings.find(({ about }) => about === 'default')?.what).toMatch(
      /^openai\/.*OPENAI_API_KEY$/,
    );
    expect(code).toBe(0);
  });

  it('[M-2 I-2] so does flow models', async () => {
    const { code, out } = await flow(built, ['models', '--json'], { env: { GEMINI_API_KEY: KEY } });
    expect(judged<{ default: object }>(out.toString()).default).toMatchObject({ provider: 'google', usable: true });
    expect(code).toBe(0);
  });

  it('[I-4] a reader that goes away ends neither with an error', async () => {
    for (const words of [['doctor', '--offline'], ['models']]) {
      const { err } = await flow(built, words, { env: { ANTHROPIC_API_KEY: KEY }, meet: (child) => child.stdout?.destroy() });
      expect(err).toBe('');
    }
  });
});
