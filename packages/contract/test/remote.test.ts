/** What is extended over https, against a server with a certificate of its own on this machine. Nothing leaves it. */
import { execFile, execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { HEAD } from './loading.js';

const root = mkdtempSync(join(tmpdir(), 'contract-remote-'));
const BASE = `${HEAD}limits: {max_steps: 5}\n`;
const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');
let asked: string[] = [];
let origin = '';

/** Path → answer. */
const ANSWERS: Readonly<Record<string, (response: ServerResponse) => void>> = {
  '/base.contract.yaml': (response) => response.end(BASE),
  '/above.contract.yaml': (response) => response.end(`${HEAD}extends: ./base.contract.yaml\nlimits: {max_tokens: 9}\n`),
  '/exact.contract.yaml': (response) => response.end(BASE + '#'.repeat(1024 * 1024 - Buffer.byteLength(BASE))),
  '/large.contract.yaml': (response) => response.end(BASE + '#'.repeat(1024 * 1024)),
  '/endless.contract.yaml': (response) => {
    const more = (): void => {
      while (response.write('#'.repeat(1 << 16)));
      response.once('drain', more);
    };
    more();
  },
  '/silent.contract.yaml': () => {},
  '/moved.contract.yaml': (response) => response.writeHead(302, { location: '/base.contract.yaml' }).end(),
  '/down.contract.yaml': (response) => response.writeHead(302, { location: 'http://127.0.0.1/base.contract.yaml' }).end(),
  '/file.contract.yaml': (response) => response.writeHead(302, { location: 'file:///etc/passwd' }).end(),
  '/round.contract.yaml': (response) => response.writeHead(302, { location: '/round.contract.yaml' }).end(),
  '/page.contract.yaml': (response) => response.end('<html>\n  <p>: not [ yaml\n'),
};

beforeAll(async () => {
  const openssl = (...words: string[]): Buffer => execFileSync('openssl', words, { cwd: root, stdio: ['ignore', 'pipe', 'ignore'] });
  openssl(
    'req',
    '-x509',
    '-newkey',
    'ec',
    '-pkeyopt',
    'ec_paramgen_curve:prime256v1',
    '-nodes',
    '-keyout',
    'ca.key',
    '-out',
    'ca.pem',
    '-subj',
    '/CN=test ca',
  );
  openssl(
    'req',
    '-newkey',
    'ec',
    '-pkeyopt',
    'ec_paramgen_curve:prime256v1',
    '-nodes',
    '-keyout',
    'server.key',
    '-out',
    'server.csr',
    '-subj',
    '/CN=localhost',
  );
  writeFileSync(join(root, 'names'), 'subjectAltName=DNS:localhost\n');
  openssl(
    'x509',
    '-req',
    '-in',
    'server.csr',
    '-CA',
    'ca.pem',
    '-CAkey',
    'ca.key',
    '-CAcreateserial',
    '-out',
    'server.pem',
    '-extfile',
    'names',
  );
  const file = (name: string): Buffer => readFileSync(join(root, name));
  const server = createServer({ key: file('server.key'), cert: file('server.pem') }, (request: IncomingMessage, response) => {
    asked.push(request.url ?? '');
    const answer = ANSWERS[request.url ?? ''];
    if (answer) answer(response);
    else response.writeHead(404).end();
  });
  await new Promise<void>((listening) => void server.listen(0, '127.0.0.1', listening));
  const { port } = server.address() as AddressInfo;
  origin = `https://localhost:${port}`;
  stop = () => {
    server.close();
    server.closeAllConnections();
  };
});

let stop = (): void => {};
afterAll(() => {
  stop();
  rmSync(root, { recursive: true });
});

interface Told {
  readonly code: number;
  readonly out: string;
}

/** The built command in a process of its own, which trusts the certificate: its trust is set when it starts. */
function info(target: string, words: readonly string[] = ['--allow-remote'], env: Readonly<Record<string, string>> = {}): Promise<Told> {
  asked = [];
  writeFileSync(
    join(root, 'c.contract.yaml'),
    `agent: bot\nversion: 1.0.0\ndescription: d\nextends: ${target.startsWith('/') ? origin + target : target}\n`,
  );
  const bin = join(import.meta.dirname, '../bin/agentcontract.mjs');
  const environment = { PATH: process.env['PATH'], NODE_EXTRA_CA_CERTS: join(root, 'ca.pem'), XDG_CACHE_HOME: join(root, 'cache'), ...env };
  return new Promise((settle) => {
    const child = execFile(process.execPath, [bin, 'info', 'c.contract.yaml', ...words], { cwd: root, env: environment }, (_, out, err) =>
      settle({ code: child.exitCode ?? -1, out: out + err }),
    );
  });
}

describe('[C-2] what is extended over https', () => {
  it('[C-2] is fetched when that is allowed, follows its own parents and redirects within https, and is kept by its hash', async () => {
    const direct = await info('/base.contract.yaml');
    expect(direct).toMatchObject({ code: 0, out: expect.stringContaining(`at most 5 steps   (${origin}/base.contract.yaml:5)`) });
    expect(readdirSync(join(root, 'cache/agentcontract'))).toEqual([sha256(BASE)]);
    const chained = await info('/above.contract.yaml');
    expect(chained.out).toContain('at most 5 steps');
    expect(chained.out).toContain('at most 9 output tokens');
    expect((await info('/moved.contract.yaml')).code).toBe(0);
    expect(asked).toEqual(['/moved.contract.yaml', '/base.contract.yaml']);
  });

  it('[C-2] is asked of nobody unless that is allowed', async () => {
    expect(await info('/base.contract.yaml', [])).toMatchObject({ code: 2, out: expect.stringContaining('--allow-remote') });
    expect(asked).toEqual([]);
  });

  it('[C-2] with a hash needs no server once it is kept, and is held to it', async () => {
    rmSync(join(root, 'cache'), { recursive: true, force: true });
    const pinned = `/base.contract.yaml#sha256=${sha256(BASE)}`;
    expect((await info(pinned)).code).toBe(0);
    expect(asked).toEqual(['/base.contract.yaml']);
    expect((await info(pinned)).code).toBe(0);
    expect(asked).toEqual([]);
    writeFileSync(join(root, 'cache/agentcontract', sha256(BASE)), 'agent: forged\n');
    expect(await info(pinned)).toMatchObject({ code: 0 });
    expect(asked).toEqual(['/base.contract.yaml']);
    expect(await info(`/base.contract.yaml#sha256=${sha256('other')}`)).toMatchObject({
      code: 2,
      out: expect.stringContaining(`SHA-256 ${sha256(BASE)}`),
    });
  });

  it.each([
    ['/large.contract.yaml', 'larger than 1 MiB'],
    ['/endless.contract.yaml', 'larger than 1 MiB'],
    ['/down.contract.yaml', 'which is not https'],
    ['/file.contract.yaml', 'which is not https'],
    ['/round.contract.yaml', 'redirects without end'],
    ['/absent.contract.yaml', 'answered 404'],
    ['/page.contract.yaml', 'What it extends cannot be used.'],
    ['http://127.0.0.1/x.contract.yaml', 'only https is fetched'],
    ['file:///etc/passwd', 'only https is fetched'],
    ['data:text/yaml,a', 'only https is fetched'],
  ])('[C-2] %s is refused: %s', async (target, why) => {
    expect(await info(target)).toMatchObject({ code: 2, out: expect.stringContaining(why) });
  });

  it('[C-2] may have 1 MiB to the byte', async () => {
    expect((await info('/exact.contract.yaml')).code).toBe(0);
  });

  it('[C-2] that does not answer is given up after 10 s', async () => {
    expect(await info('/silent.contract.yaml')).toMatchObject({
      code: 2,
      out: expect.stringContaining('did not answer within 10 seconds'),
    });
  });

  it('[C-2] from whom nobody vouches for is not fetched', async () => {
    expect(await info('/base.contract.yaml', undefined, { NODE_EXTRA_CA_CERTS: '' })).toMatchObject({
      code: 2,
      out: expect.stringContaining('it cannot be fetched'),
    });
    expect(asked).toEqual([]);
  });
});
