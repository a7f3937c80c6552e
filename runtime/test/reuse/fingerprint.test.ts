import {
  chmodSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execFileSync } from 'node:child_process';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { openFingerprints } from '../../src/io/fingerprint/fingerprints.js';
import type { Fingerprint } from '../../src/ports/fingerprint.js';
import { plant } from '../run/ground.js';

const never = new AbortController().signal;
const scratch = mkdtempSync(join(tmpdir(), 'flow-print-'));
afterAll(() => rmSync(scratch, { recursive: true }));
let count = 0;
let root = '';
beforeEach(() => {
  root = join(scratch, `t${(count += 1)}`, 'tree');
  plant(root, { 'a.txt': 'a', 'b/c.txt': 'c', 'b/d.txt': 'd' });
});

const of = (path: string, leftOut: readonly string[] = []): Promise<Fingerprint> => openFingerprints(leftOut).of(path, never);
const taken = async (path: string): Promise<string> => {
  const print = await of(path);
  if (print.print === 'none') throw new Error(print.why);
  return print.sha256;
};

describe('the fingerprint of a tree', () => {
  it('[G-12] is the same for the same tree, wherever and whenever it was made', async () => {
    const other = join(scratch, `t${count}`, 'copy');
    plant(other, { 'b/d.txt': 'd', 'b/c.txt': 'c', 'a.txt': 'a' });
    utimesSync(join(other, 'a.txt'), 1, 1);
    expect(await taken(other)).toBe(await taken(root));
    expect(await taken(`${root}/../tree`)).toBe(await taken(root));
    expect(await taken(root)).toMatch(/^[0-9a-f]{64}$/);
  });

  const at = (name: string): string => join(root, name);
  const changes: readonly (readonly [string, () => void])[] = [
    ['bytes of the same length', () => writeFileSync(at('a.txt'), 'b')],
    ['a zero byte more', () => truncateSync(at('a.txt'), 2)],
    ['nothing in a file', () => truncateSync(at('a.txt'), 0)],
    ['another name', () => renameSync(at('a.txt'), at('e.txt'))],
    ['another folder', () => renameSync(at('a.txt'), at('b/a.txt'))],
    [
      'two files that change places',
      () => {
        renameSync(at('b/c.txt'), at('b/x'));
        renameSync(at('b/d.txt'), at('b/c.txt'));
        renameSync(at('b/x'), at('b/d.txt'));
      },
    ],
    ['another mode of a file', () => chmodSync(at('a.txt'), 0o700)],
    ['another mode of a folder', () => chmodSync(at('b'), 0o700)],
    ['an empty folder', () => mkdirSync(at('empty'))],
    [
      'a link in place of a file of the same bytes',
      () => {
        renameSync(at('a.txt'), at('b/a.txt'));
        symlinkSync('b/a.txt', at('a.txt'));
      },
    ],
    ['a link to nowhere', () => symlinkSync('nowhere', at('link'))],
    ['a link to itself', () => symlinkSync('link', at('link'))],
    ['a second name of a file', () => linkSync(at('a.txt'), at('same.txt'))],
    ['a hidden file', () => writeFileSync(at('.hidden'), '')],
  ];
  it.each(changes)('[G-12] is another with %s', async (_name, change) => {
    chmodSync(at('b'), 0o755);
    const prints = openFingerprints([]);
    const before = await prints.of(root, never);
    change();
    expect(await prints.of(root, never)).not.toEqual(before);
    expect((await of(root)).print).toBe('taken');
    expect(await prints.of(root, never)).toEqual(await of(root));
  });

  it('[G-12] tells names apart that are no text', async () => {
    const name = (byte: number): Buffer => Buffer.concat([Buffer.from(`${root}/`), Buffer.from([byte])]);
    writeFileSync(name(0xfe), '');
    const one = await taken(root);
    renameSync(name(0xfe), name(0xff));
    expect(await taken(root)).not.toBe(one);
  });

  it('[G-12] cannot be made the same by a name or a link that looks like another entry', async () => {
    const print = await taken(root);
    const other = join(scratch, `t${count}`, 'other');
    plant(other, { 'a.txt': 'a', 'b/c.txt': 'c', 'b/d.txtfile 644 0 64 ': 'd' });
    expect(await taken(other)).not.toBe(print);
  });

  it('[G-12] is of one file as well, and follows a link at the top alone', async () => {
    expect(await taken(join(root, 'a.txt'))).not.toBe(await taken(join(root, 'b/c.txt')));
    symlinkSync('tree', join(root, '../link'));
    expect(await taken(join(root, '../link'))).toBe(await taken(root));
  });

  it('[G-12] takes in a file that a link outside leads to; of a folder outside it says that it cannot', async () => {
    plant(join(root, '..'), { 'out.txt': 'out', 'folder/x': 'x' });
    symlinkSync('../out.txt', join(root, 'link'));
    const one = await taken(root);
    writeFileSync(join(root, '../out.txt'), 'tuo');
    expect(await taken(root)).not.toBe(one);
    symlinkSync('../folder', join(root, 'folder'));
    expect(await of(root)).toMatchObject({ print: 'none', why: expect.stringMatching(/a link to a folder outside/) });
  });

  it('[G-12] waits for no pipe and no socket', async () => {
    const before = await taken(root);
    execFileSync('mkfifo', [join(root, 'pipe')]);
    const pipe = await taken(root);
    const server = createServer();
    await new Promise<void>((listening) => server.listen(join(root, 'socket'), listening));
    expect(new Set([before, pipe, await taken(root)]).size).toBe(3);
    await new Promise((closed) => server.close(closed));
  });

  it('[G-12] leaves out what it is told to leave out, and nothing with a like name', async () => {
    plant(root, { 'home/runs/x': 'x', 'homes/x': 'x' });
    const home = join(root, 'home');
    const one = await of(root, [home]);
    plant(root, { 'home/runs/y': 'y' });
    expect(await of(root, [home])).toEqual(one);
    plant(root, { 'homes/y': 'y' });
    expect(await of(root, [home])).not.toEqual(one);
  });

  it('[G-12] is not taken of what is not there, of too much, or once the run is stopped', async () => {
    expect(await of(join(root, 'none'))).toMatchObject({ print: 'none', why: expect.stringMatching(/ENOENT/) });
    expect(await openFingerprints([]).of(root, AbortSignal.abort())).toEqual({ print: 'none', why: 'the run was stopped' });
    writeFileSync(join(root, 'large'), '');
    truncateSync(join(root, 'large'), 5 * 2 ** 30);
    expect(await of(root)).toMatchObject({ print: 'none', why: expect.stringMatching(/more than 4 GiB/) });
  });

  it('[G-12] reads a large file to its end', async () => {
    writeFileSync(join(root, 'large'), Buffer.alloc(3 << 20, 1));
    const one = await taken(root);
    writeFileSync(join(root, 'large'), Buffer.concat([Buffer.alloc((3 << 20) - 1, 1), Buffer.of(2)]));
    expect(await taken(root)).not.toBe(one);
  });

  it('[G-12] sees a file that was rewritten with its old size and time', async () => {
    const file = join(root, 'a.txt');
    utimesSync(file, 1_000, 1_000);
    const prints = openFingerprints([]);
    const one = await prints.of(root, never);
    expect(await prints.of(root, never)).toEqual(one);
    writeFileSync(file, 'b');
    utimesSync(file, 1_000, 1_000);
    expect(await prints.of(root, never)).not.toEqual(one);
  });
});
