import { execFileSync, spawnSync } from 'node:child_process';
import { createPublicKey } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Envelope } from '../src/index.js';
import { parsePieces } from '../src/manifest.js';
import { formatManifest, makeKeyPair, openEnvelope, parseManifest, readKey, statementOf } from '../src/index.js';
import { keyId, preAuthentication } from '../src/dsse.js';
import { plantSuccess, sha256 } from './plant-run.js';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'proof-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const has = (program: string, argument: string): boolean => spawnSync(program, [argument]).status === 0;
const withCoreutils = it.skipIf(!has('sha256sum', '--version'));
const withOpenssl = it.skipIf(!has('openssl', 'version'));

const NAMES = [
  'plain',
  'with space',
  'é\u{1f600}',
  'back\\slash',
  'line\nbreak',
  '\\n',
  'tab\t',
  '*star',
  '-dash',
  'a\\\nb\\\\',
  'quo\'te"',
  'carriage\rreturn',
];

describe('the manifest', () => {
  withCoreutils('[R-8] is what sha256sum itself writes and reads, whatever the names (where coreutils are)', () => {
    for (const name of NAMES) writeFileSync(join(folder, name), name);
    const text = formatManifest(NAMES.map((path) => ({ path, sha256: sha256(path) })));
    writeFileSync(join(folder, 'manifest.sha256'), text);
    const check = spawnSync('sha256sum', ['--strict', '-c', 'manifest.sha256'], { cwd: folder });
    expect(check.stderr.toString()).toBe('');
    expect(check.status).toBe(0);
    const theirs = execFileSync('sha256sum', ['--', ...NAMES], { cwd: folder }).toString();
    expect(theirs.split('\n').sort()).toEqual(text.split('\n').sort());
  });

  it('[R-8] is in bytewise order', () => {
    const paths = ['\u{1f600}', '\uffee', 'b', 'a/z', 'a-', 'Z'];
    const text = formatManifest(paths.map((path) => ({ path, sha256: sha256('') })));
    expect(
      text
        .trimEnd()
        .split('\n')
        .map((line) => line.slice(66)),
    ).toEqual(['Z', 'a-', 'a/z', 'b', '\uffee', '\u{1f600}']);
  });

  it('[R-8] is read back as it was written', () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.string({ minLength: 1, unit: 'binary' }), { maxLength: 5 }), (paths) => {
        const files = paths.map((path) => ({ path, sha256: sha256(path) }));
        const read = parseManifest(formatManifest(files)).map((line) => (line.ok ? line.file : line));
        expect(new Map(read.map((file) => ['path' in file ? file.path : '', file]))).toEqual(
          new Map(files.map((file) => [file.path, file])),
        );
      }),
    );
  });

  it.each([
    ['no hash', 'x  a\n', 1],
    ['one space', `${'a'.repeat(64)} a\n`, 1],
    ['no name', `${'a'.repeat(64)}  \n`, 1],
    ['upper case', `${'A'.repeat(64)}  a\n`, 1],
    ['a wrong escape', `\\${'a'.repeat(64)}  a\\x\n`, 1],
    ['a lone backslash at the end', `\\${'a'.repeat(64)}  a\\\n`, 1],
    ['no newline at the end', `${'a'.repeat(64)}  a`, 1],
  ])('[R-8] has no line with %s', (_, text, line) => {
    expect(parseManifest(text)).toEqual([{ ok: false, line }]);
  });
});

describe('the envelope', () => {
  it('[R-8] signs the type and the body behind their lengths', () => {
    expect(preAuthentication(Buffer.from('héllo'), 'http://example.com/x').toString()).toBe('DSSEv1 20 http://example.com/x 6 héllo');
  });

  it('[R-8] holds an in-toto statement with the sealed outputs as subjects, or the record when nothing was sealed', () => {
    expect(statementOf('r', [{ path: 'o', sha256: 'h' }])).toEqual({
      _type: 'https://in-toto.io/Statement/v1',
      subject: [{ name: 'o', digest: { sha256: 'h' } }],
      predicateType: 'urn:gated-flow:record:1',
      predicate: { record: { name: 'record.jsonl', digest: { sha256: 'r' } } },
    });
    expect(statementOf('r', []).subject).toEqual([{ name: 'record.jsonl', digest: { sha256: 'r' } }]);
  });

  it.each([
    '',
    'null',
    '{}',
    '[1]',
    '{"payloadType":"x","payload":"","signatures":[]}',
    '{"payloadType":"application/vnd.in-toto+json","payload":"e30=","signatures":[]}',
  ])('[R-8] is not read from %j', (text) => {
    expect(openEnvelope(text)).toMatchObject({ ok: false });
  });

  it('[R-8] takes Ed25519 keys alone', () => {
    const { privateKey, publicKey } = makeKeyPair();
    expect(privateKey).toContain('BEGIN PRIVATE KEY');
    expect(readKey(privateKey, 'private')?.type).toBe('private');
    expect(readKey(publicKey, 'public')?.type).toBe('public');
    expect(readKey('nonsense', 'public')).toBeNull();
    expect(readKey(publicKey, 'private')).toBeNull();
  });

  withOpenssl('[R-8] is verified by openssl and sha256sum alone (where openssl is)', () => {
    const pair = makeKeyPair();
    const key = readKey(pair.privateKey, 'private');
    if (key === null) throw new Error('no key');
    const run = join(folder, 'run');
    plantSuccess(run, key);
    const envelope: Envelope = JSON.parse(readFileSync(join(run, 'record.dsse.json'), 'utf8'));
    const at = (name: string, bytes: string | Uint8Array): string => {
      mkdirSync(dirname(join(folder, name)), { recursive: true });
      writeFileSync(join(folder, name), bytes);
      return join(folder, name);
    };
    const body = Buffer.from(envelope.payload, 'base64');
    const signed = at(
      'signed',
      Buffer.concat([Buffer.from(`DSSEv1 ${envelope.payloadType.length} ${envelope.payloadType} ${body.length} `), body]),
    );
    const sig = at('sig', Buffer.from(envelope.signatures[0]?.sig ?? '', 'base64'));
    const pub = at('pub.pem', pair.publicKey);
    const verify = spawnSync('openssl', ['pkeyutl', '-verify', '-pubin', '-inkey', pub, '-rawin', '-in', signed, '-sigfile', sig]);
    expect(verify.stdout.toString() + verify.stderr.toString()).toContain('Verified Successfully');
    const sums = spawnSync('sha256sum', ['--strict', '-c', 'record.sha256', 'manifest.sha256'], { cwd: run });
    expect(sums.status).toBe(0);
    const der = execFileSync('openssl', ['pkey', '-pubin', '-in', pub, '-outform', 'DER']);
    expect(envelope.signatures[0]?.keyid).toBe(sha256(der));
    expect(keyId(createPublicKey(pair.publicKey))).toBe(sha256(der));
  });

  it('[R-8 Q-9] reads a manifest in pieces as it reads the whole, and no line without an end', async () => {
    const names = fc.array(fc.constantFrom('a', 'ä/b', 'line\nbreak', 'back\\slash', '€'.repeat(40)), { maxLength: 20 });
    const inPieces = async (bytes: Uint8Array, size: number) => {
      async function* pieces(): AsyncGenerator<Uint8Array> {
        const buffer = new Uint8Array(size);
        for (let at = 0; at < bytes.length; at += size) {
          const piece = bytes.subarray(at, at + size);
          buffer.set(piece);
          yield buffer.subarray(0, piece.length);
        }
        await Promise.resolve();
      }
      const lines = [];
      for await (const some of parsePieces(pieces())) lines.push(...some);
      return lines;
    };
    await fc.assert(
      fc.asyncProperty(names, fc.constantFrom('', 'torn', 'no sum\n'), fc.integer({ min: 1, max: 300 }), async (paths, end, size) => {
        const text = formatManifest(paths.map((path) => ({ path, sha256: 'a'.repeat(64) }))) + end;
        expect(await inPieces(Buffer.from(text), size)).toEqual(parseManifest(text));
      }),
    );
    expect(await inPieces(Buffer.alloc(1 << 20, 'x'), 1 << 16)).toEqual([{ ok: false, line: 1 }]);
  });
});
