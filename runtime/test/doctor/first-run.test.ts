/** The likely reasons why a first run fails: each is made so, and the command names it with what repairs it. */
import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { DoctorDocument } from '../../src/cli/doctor/document.js';
import { main } from '../../src/cli/main.js';
import type { Finding } from '../../src/doctor/finding.js';
import { type HereFacts, judgeHere } from '../../src/doctor/folder.js';
import { judgeHome } from '../../src/doctor/home.js';
import { judgeNetwork } from '../../src/doctor/network.js';
import { judgeProcess, type ProcessFacts } from '../../src/doctor/process.js';
import { mountOf, placeFacts } from '../../src/io/probe/place.js';
import { createProbe } from '../../src/io/probe/probe.js';
import { createClock } from '../../src/io/clock.js';
import type { Asked, FolderFacts } from '../../src/ports/probe.js';
import { fakeIo } from '../cli/io.js';
import { judged } from '../models-command/judged.js';

const PATH = process.env['PATH'] ?? '';
let root: string;
let home: string;
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'first-')));
  home = join(root, 'home');
  mkdirSync(home, { mode: 0o700 });
  mkdirSync(join(root, 'work'));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

async function doctor(env: Record<string, string> = {}, words: readonly string[] = ['--offline'], cwd = join(root, 'work')) {
  const io = fakeIo({
    env: {
      PATH,
      HOME: root,
      FLOW_HOME: home,
      OLLAMA_HOST: 'http://127.0.0.1:1',
      LC_ALL: 'C.UTF-8',
      ANTHROPIC_API_KEY: 'a-key-for-tests',
      ...env,
    },
    cwd,
  });
  const code = await main(['doctor', ...words, '--json'], io);
  const { findings, config } = judged<DoctorDocument>(io.printed());
  return { code, config, about: (name: string): Finding | undefined => findings.find(({ about }) => about === name) };
}

/** What a reason must look like: the finding, how grave it is, a part of what it says, a part of what repairs it. */
type Expected = readonly [about: string, verdict: Finding['verdict'], what: RegExp, fix: RegExp];
function expectFound({ code, about }: Awaited<ReturnType<typeof doctor>>, [name, verdict, what, fix]: Expected): void {
  const finding = about(name);
  expect(finding?.verdict, JSON.stringify(finding)).toBe(verdict);
  expect(finding?.what).toMatch(what);
  expect(finding?.fix ?? '').toMatch(fix);
  expect(code).toBe(verdict === 'problem' ? 1 : 0);
}

const program = (name: string, text: string): string => {
  mkdirSync(join(root, 'bin'), { recursive: true });
  writeFileSync(join(root, 'bin', name), `#!/bin/sh\n${text}\n`);
  chmodSync(join(root, 'bin', name), 0o755);
  return `${join(root, 'bin')}:${PATH}`;
};

describe('why a first run fails', () => {
  it.each<[string, () => Record<string, string>, Expected]>([
    ['no git', () => ({ PATH: program('git', 'exit 127') }), ['git', 'note', /ends with 127/, /apt install git/]],
    ['no sh', () => ({ PATH: join(root, 'nothing') }), ['sh', 'problem', /not found/, /export PATH/]],
    ['no bash', () => ({ PATH: program('bash', 'exit 1') }), ['bash', 'note', /does not run/, /install bash/]],
    ['no python3', () => ({ PATH: onlySh() }), ['python3', 'note', /not found/, /install python3/]],
    ['HOME not set', () => ({ HOME: '' }), ['HOME', 'note', /not set/, /export HOME/]],
    ['no home', () => ({ HOME: '', FLOW_HOME: '' }), ['home', 'problem', /neither HOME nor FLOW_HOME/, /export FLOW_HOME/]],
    ['a home that is a file', () => ({ FLOW_HOME: file('taken') }), ['home', 'problem', /no folder/, /export FLOW_HOME/]],
    ['a home that is a link', () => ({ FLOW_HOME: link('linked') }), ['home', 'problem', /symbolic link/, /export FLOW_HOME/]],
    ['a home below a file', () => ({ FLOW_HOME: join(file('taken'), 'flow') }), ['home', 'problem', /no folder/, /export FLOW_HOME/]],
    ['a home that others read', () => open(), ['mode', 'note', /0755/, /chmod 700/]],
    ['no key and no model', () => ({ ANTHROPIC_API_KEY: '' }), ['default', 'problem', /no model/, /export ANTHROPIC_API_KEY/]],
    [
      'a key with quotes',
      () => ({ ANTHROPIC_API_KEY: '"a-key"' }),
      ['ANTHROPIC_API_KEY', 'note', /quotation marks/, /export ANTHROPIC_API_KEY/],
    ],
    ['a key with a space', () => ({ ANTHROPIC_API_KEY: 'a key' }), ['ANTHROPIC_API_KEY', 'note', /white space/, /export/]],
    ['a key with a newline', () => ({ ANTHROPIC_API_KEY: 'a-key\nanother' }), ['ANTHROPIC_API_KEY', 'note', /white space/, /export/]],
    ['a wrong config', () => config('retrys: 1\n'), ['config.yaml', 'problem', /Line 1: .*retries/, /^/]],
    ['a proxy that is none', () => ({ HTTPS_PROXY: 'proxy:3128' }), ['HTTPS_PROXY', 'problem', /no http or https address/, /HOST:PORT/]],
    ['a locale without UTF-8', () => ({ LC_ALL: 'C' }), ['locale', 'note', /LC_ALL is C/, /C\.UTF-8/]],
    ['a cache that is no folder', () => ({ XDG_CACHE_HOME: file('cache') }), ['scratch', 'problem', /no folder/, /XDG_CACHE_HOME/]],
    ['carriage returns by git', () => repository('core.autocrlf', 'true'), ['core.autocrlf', 'note', /carriage return/, /renormalize/]],
    ['lost executable bits', () => repository('core.fileMode', 'false'), ['core.fileMode', 'note', /executable bits/, /chmod=\+x/]],
  ])('[I-11] %s', async (_, make, expected) => {
    expectFound(await doctor(make()), expected);
  });

  const onlySh = (): string => {
    mkdirSync(join(root, 'bin'));
    symlinkSync('/bin/sh', join(root, 'bin/sh'));
    return join(root, 'bin');
  };
  const file = (name: string): string => (writeFileSync(join(root, name), ''), join(root, name));
  const link = (name: string): string => (symlinkSync(home, join(root, name)), join(root, name));
  const open = (): Record<string, string> => (chmodSync(home, 0o755), {});
  const config = (text: string): Record<string, string> => (writeFileSync(join(home, 'config.yaml'), text), {});
  const repository = (key: string, value: string): Record<string, string> => {
    execFileSync('git', ['init', '-q', join(root, 'work')]);
    execFileSync('git', ['-C', join(root, 'work'), 'config', key, value]);
    return {};
  };

  it('[I-11] every value of the home has its origin', async () => {
    writeFileSync(join(home, 'config.yaml'), 'timeout: 60\nredact: [X]\n');
    const { config } = await doctor();
    const of = (name: string) => config.find(({ key }) => key === name);
    expect([of('timeout'), of('retries'), of('redact')]).toEqual([
      { key: 'timeout', value: 60, from: 'home' },
      { key: 'retries', value: 2, from: 'default' },
      { key: 'redact', value: ['X'], from: 'home' },
    ]);
  });

  async function served(answer: RequestListener, use: (address: string) => Promise<void>): Promise<void> {
    const server = createServer(answer);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const at = server.address();
    try {
      await use(`127.0.0.1:${typeof at === 'object' && at !== null ? at.port : 0}`);
    } finally {
      server.closeAllConnections();
      server.close();
    }
  }
  const row = (address: string): void =>
    writeFileSync(
      join(home, 'config.yaml'),
      `intelligences: { default: { provider: openai-compatible, model: m, base-url: "http://${address}/v1", api-key-env: MINE_API_KEY } }`,
    );

  it('[I-11] a clock that is wrong, by the time of the server', async () => {
    await served(
      (_, response) => response.setHeader('date', new Date(createClock().now() - 3_600_000).toUTCString()).end('{"data":[{"id":"m"}]}'),
      async (address) => {
        row(address);
        expectFound(await doctor({ MINE_API_KEY: 'a-key-of-mine' }, []), ['clock', 'note', /60 minutes ahead/, /set-ntp/]);
      },
    );
  });

  it('[I-11] a base-url where nobody listens', async () => {
    let gone = '';
    await served(
      () => {},
      async (address) => void (gone = address),
    );
    row(gone);
    expectFound(await doctor({ MINE_API_KEY: 'a-key-of-mine' }, []), [gone, 'problem', /refused/, /^/]);
  });
});

describe('what cannot be made so here', () => {
  const folder: FolderFacts = { kind: 'folder', own: true, mode: 0o700, nearest: '/t', unwritable: null, executes: true, free: 1 << 30 };
  const facts: ProcessFacts = {
    ...{ platform: 'linux', env: { HOME: '/u', LANG: 'en_US.utf8' }, allowances: { root: false, openFiles: 4096, watches: 65_536 } },
    ...{ temporary: { path: '/t', folder }, interpreters: { python3: '/usr/bin/python3' } },
  };
  const no: Asked = { asked: 'answered', exit: 1, text: '' };
  const here: HereFacts = {
    path: '/w',
    place: { unwritable: null, noexec: false, windows: false },
    settings: { autocrlf: no, fileMode: no },
  };
  const told = (findings: readonly Finding[]) =>
    findings
      .filter(({ verdict }) => verdict !== 'ok')
      .map(({ about, verdict, what, fix }) => `${verdict} ${about}: ${what} > ${fix ?? ''}`);

  it('[I-11] what is in order is no finding', () => {
    expect(told(judgeProcess(facts))).toEqual([]);
    expect(told(judgeHere(here))).toEqual([]);
  });

  it.each<[string, Partial<ProcessFacts>, string]>([
    ['root', { allowances: { ...facts.allowances, root: true } }, 'note user: this is the superuser > flow run … --sandbox=all'],
    ['ulimit -n', { allowances: { ...facts.allowances, openFiles: 256 } }, 'note open files: at most 256 at once > ulimit -n 4096'],
    [
      'inotify',
      { allowances: { ...facts.allowances, watches: 8192 } },
      'note watches: at most 8192 folders can be watched > sudo sysctl fs.inotify.max_user_watches=524288',
    ],
    [
      'TMPDIR absent',
      { temporary: { path: '/t', folder: { ...folder, kind: 'absent' } } },
      'problem TMPDIR: /t is no folder > mkdir -p /t',
    ],
    [
      'TMPDIR not writable',
      { temporary: { path: '/t', folder: { ...folder, unwritable: 'EROFS' } } },
      'problem TMPDIR: nothing can be made in /t (EROFS) > export TMPDIR=DIR',
    ],
    ['no locale', { env: { HOME: '/u' } }, 'note locale: none is set, which is not UTF-8 > export LC_ALL=C.UTF-8'],
  ])('[I-11] %s', (_, more, expected) => {
    expect(told(judgeProcess({ ...facts, ...more }))).toEqual([expected]);
  });

  it.each<[Partial<HereFacts['place']>, string]>([
    [{ windows: true }, 'note disk: /w is on a disk of Windows > cp -r /w ~/'],
    [{ noexec: true }, 'note here: programs in /w cannot be executed > flow run … --in DIR'],
    [{ unwritable: 'EROFS' }, 'note here: /w: nothing can be made in it (EROFS) > flow run … --in DIR'],
  ])('[I-11 I-6] the folder, when %j', (more, expected) => {
    expect(told(judgeHere({ ...here, place: { ...here.place, ...more } }))).toEqual([expected]);
  });

  it('[I-11 I-12] old runs, when space is short or they are very many', () => {
    const at = { home: '/h', said: 'FLOW_HOME', crashed: null, scratch: { path: '/c', folder } };
    const runs = (count: number | null, free: number) =>
      told(judgeHome({ ...at, runs: count, folder: { ...folder, free } })).filter((line) => line.includes('runs'));
    expect(runs(3, 100 << 20)).toEqual(['note runs: 3 are kept > flow prune --older-than 30d']);
    expect(runs(1000, 1 << 30)).toEqual(['note runs: 1000 are kept > flow prune --older-than 30d']);
    expect([runs(999, 1 << 30), runs(0, 1), runs(null, 1)]).toEqual([[], [], []]);
  });

  it('[I-11 L-4] a certificate that is not valid yet speaks of the clock', () => {
    const endpoint = { provider: 'openai', models: ['m'], address: 'https://h/v1', variable: 'K', rows: ['default'], isDefault: true };
    const reached = { reached: 'failed', trouble: 'certificate', detail: 'CERT_NOT_YET_VALID' } as const;
    expect(told(judgeNetwork({ env: {}, endpoints: [{ endpoint, reached }] }))).toEqual([
      'problem h: its certificate is not valid at this time: CERT_NOT_YET_VALID > date -u',
    ]);
  });

  it('[I-11] a mount is told by the longest place above the folder', () => {
    const mounts = [
      'overlay / overlay rw 0 0',
      'C:\\134 /mnt/c 9p rw,noatime,aname=drvfs 0 0',
      '/dev/sdb /mnt/c/linux ext4 rw,noexec 0 0',
      'x /with\\040space vfat rw 0 0',
      'broken',
    ].join('\n');
    expect(mountOf(mounts, '/mnt/c/work')).toEqual({ noexec: false, windows: true });
    expect(mountOf(mounts, '/mnt/c/linux/a')).toEqual({ noexec: true, windows: false });
    expect(mountOf(mounts, '/mnt/cc')).toEqual({ noexec: false, windows: false });
    expect(mountOf(mounts, '/with space')).toEqual({ noexec: false, windows: true });
    expect(mountOf('', '/x')).toEqual({ noexec: false, windows: false });
  });

  it('[I-11] this machine is asked, and nothing is made in a folder that is not ours to try', async () => {
    const probe = createProbe({ PATH }, createClock());
    const allowed = await probe.allowances();
    expect(allowed.root).toBe(process.getuid?.() === 0);
    expect(allowed.openFiles).toBeGreaterThan(0);
    if (existsSync('/proc/sys/fs/inotify/max_user_watches'))
      expect(allowed.watches).toBe(Number(readFileSync('/proc/sys/fs/inotify/max_user_watches', 'utf8')));
    expect(await placeFacts(root)).toMatchObject({ unwritable: null, noexec: false });
    expect((await placeFacts(join(root, 'absent'))).unwritable).toBe('ENOENT');
  });
});

describe('docs/doctor.md', () => {
  it('[I-11] names at least twenty reasons, each with a test that is there', () => {
    const page = join(import.meta.dirname, '../../../docs/doctor.md');
    const rows = [...readFileSync(page, 'utf8').matchAll(/^\| .+ \| \[([\w-]+)\]\(([^)]+)\): (.+?) *\|$/gm)];
    expect(rows.length).toBeGreaterThanOrEqual(20);
    for (const [, , file = '', words = ''] of rows)
      expect(readFileSync(join(page, '..', file), 'utf8'), `${file}: ${words}`).toContain(words);
  });
});
