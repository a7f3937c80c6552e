import { createHash } from 'node:crypto';
import { appendFileSync, mkdtempSync, readFileSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { FIRST_PREV, hashLine } from '@gated-flow/record';
import { openAppendFile } from '../../src/io/append-file.js';
import type { AppendFile, FileStamp } from '../../src/ports/append.js';
import { DiskError } from '../../src/ports/disk.js';
import { openRecord } from '../../src/record/open-record.js';
import { openSession } from '../../src/record/open-session.js';

const clock = {
  now: () => Date.UTC(2026, 6, 30, 14, 22, 8, 7),
  elapsed: () => 0,
  sleep: () => Promise.resolve(),
  after: () => () => undefined,
};
const sha256 = (bytes: Uint8Array | string): string => createHash('sha256').update(bytes).digest('hex');

let dir = '';
let path = '';
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'recorder-'));
  path = join(dir, 'record.jsonl');
});
afterEach(() => rmSync(dir, { recursive: true }));

describe('the recorder', () => {
  it('[R-1 R-2] writes one line each, in order, chained, place first and prev last', () => {
    const recorder = openRecord(openAppendFile(path), clock);
    recorder.append({ event: 'tmp_teardown', reason: 'busy', stage: '01-a', retry: 2, repeat: 1 });
    recorder.append({ event: 'signal', signal: 2, name: 'SIGINT' });
    recorder.close();
    const [first = '', second = '', rest] = readFileSync(path, 'utf8').split('\n');
    expect(first).toBe(
      `{"ts":"2026-07-30T14:22:08.007Z","event":"tmp_teardown","stage":"01-a","repeat":1,"retry":2,"reason":"busy","prev":"${FIRST_PREV}"}`,
    );
    expect(second).toBe(`{"ts":"2026-07-30T14:22:08.007Z","event":"signal","signal":2,"name":"SIGINT","prev":"${hashLine(first)}"}`);
    expect(rest).toBe('');
    expect(recorder.digest()).toEqual({ sha256: sha256(readFileSync(path)), lines: 2 });
  });

  it('[O-6 R-1] makes a new private file and never takes over one that exists', () => {
    openAppendFile(path).close();
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(() => openAppendFile(path)).toThrow(DiskError);
  });

  it('[R-1] is intact after its own writes and durable on request', async () => {
    const recorder = openRecord(openAppendFile(path), clock);
    for (let n = 0; n < 20; n += 1) {
      recorder.append({ event: 'signal', signal: n, name: 'x' });
      expect(await recorder.intact()).toBe(true);
    }
    await recorder.sync();
  });

  it.each<[string, (at: string) => void]>([
    ['bytes appended', (at) => appendFileSync(at, 'x')],
    ['a byte changed in place', (at) => replaceInPlace(at, 'SIGINT', 'SIGINX')],
    ['cut short', (at) => writeFileSync(at, readFileSync(at).subarray(0, 20))],
    ['replaced by a copy', (at) => (writeFileSync(`${at}.new`, readFileSync(at)), renameSync(`${at}.new`, at))],
    ['taken away', (at) => rmSync(at)],
    ['changed in place with its times put back', (at) => keepTimes(at, () => replaceInPlace(at, 'SIGINT', 'SIGINX'))],
  ])('[R-1] finds a record changed under it: %s', async (_, change) => {
    const recorder = openRecord(openAppendFile(path), clock);
    recorder.append({ event: 'signal', signal: 2, name: 'SIGINT' });
    await nextTick(path);
    change(path);
    expect(await recorder.intact()).toBe(false);
  });

  it('[R-1] finds a change made before its own next append', async () => {
    const recorder = openRecord(openAppendFile(path), clock);
    recorder.append({ event: 'signal', signal: 2, name: 'SIGINT' });
    await nextTick(path);
    replaceInPlace(path, 'SIGINT', 'SIGINX');
    recorder.append({ event: 'signal', signal: 2, name: 'SIGINT' });
    expect(await recorder.intact()).toBe(false);
  });

  it('[R-1] hashes again when only times moved, and stays intact', async () => {
    const recorder = openRecord(openAppendFile(path), clock);
    recorder.append({ event: 'signal', signal: 2, name: 'SIGINT' });
    utimesSync(path, 1, 1);
    expect(await recorder.intact()).toBe(true);
    expect(await recorder.intact()).toBe(true);
  });

  it('[R-1] keeps the chain of what was written when an append fails', () => {
    const file = memoryFile();
    const recorder = openRecord(file, clock);
    recorder.append({ event: 'signal', signal: 1, name: 'a' });
    file.full = true;
    expect(() => recorder.append({ event: 'signal', signal: 2, name: 'b' })).toThrow(DiskError);
    file.full = false;
    recorder.append({ event: 'signal', signal: 3, name: 'c' });
    const [first = '', second = ''] = Buffer.concat(file.parts).toString().split('\n');
    expect(JSON.parse(second)).toMatchObject({ name: 'c', prev: hashLine(first) });
    expect(recorder.digest().lines).toBe(2);
  });

  it('[R-1] writes what no JSON can hold as it is escaped: lone surrogates, line separators, zero bytes', () => {
    const recorder = openRecord(openAppendFile(path), clock);
    recorder.append({ event: 'tmp_teardown', reason: 'a\ud800b\u2028c\0d\ne' });
    const line = readFileSync(path, 'utf8');
    expect(line.split('\n')).toHaveLength(2);
    expect(JSON.parse(line)).toMatchObject({ reason: 'a\ud800b\u2028c\0d\ne' });
  });
});

describe('the session log', () => {
  it('[R-2 R-4] appends lines and knows their hash and number', () => {
    const log = openSession(openAppendFile(path), clock);
    log.append({ kind: 'system', text: 'S' });
    log.append({ kind: 'user', text: 'é', why: 'start' });
    log.close();
    expect(log.digest()).toEqual({ sha256: sha256(readFileSync(path)), lines: 2 });
    expect(readFileSync(path, 'utf8').split('\n')[0]).toBe('{"ts":"2026-07-30T14:22:08.007Z","kind":"system","text":"S"}');
  });
});

/** File times move in steps of the kernel's clock: writes to a neighbour until one has passed. */
async function nextTick(at: string): Promise<void> {
  const before = statSync(at, { bigint: true }).mtimeNs;
  const probe = join(dir, 'probe');
  do writeFileSync(probe, 'x');
  while (statSync(probe, { bigint: true }).mtimeNs <= before);
}

function replaceInPlace(at: string, from: string, to: string): void {
  writeFileSync(at, readFileSync(at, 'utf8').replace(from, to));
}

function keepTimes(at: string, act: () => void): void {
  const { atime, mtime } = statSync(at);
  act();
  utimesSync(at, atime, mtime);
}

function memoryFile(): AppendFile & { parts: Uint8Array[]; full: boolean } {
  const stamp: FileStamp = { device: 1n, inode: 1n, size: 0n, modified: 0n, changed: 0n };
  return {
    parts: [],
    full: false,
    append(bytes) {
      if (this.full) throw new DiskError('append', 'memory', 'ENOSPC');
      this.parts.push(bytes);
    },
    sync: () => Promise.resolve(),
    stamp: () => stamp,
    standing: () => Promise.resolve(stamp),
    hash: () => Promise.resolve(''),
    close: () => undefined,
  };
}
