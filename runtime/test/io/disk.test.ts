import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  closeSync,
  existsSync,
  ftruncateSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createDisk } from '../../src/io/disk.js';
import { DiskError, type Disk } from '../../src/ports/disk.js';
import { createMemoryDisk } from '../../src/testing/index.js';
import { scratchFolder } from './scratch.js';

const ODD = Uint8Array.from([0, 255, 128, 10, 13, 0xc3]);
const sha256 = (bytes: Uint8Array | string) => createHash('sha256').update(bytes).digest('hex');

interface Ground {
  readonly disk: Disk;
  readonly root: string;
  readonly link: (to: string, path: string) => void;
  readonly other: (path: string) => void;
}

const GROUNDS: readonly (readonly [string, () => Ground])[] = [
  [
    'the real disk',
    () => ({ disk: createDisk(), root: scratchFolder(), link: symlinkSync, other: (path) => void execFileSync('mkfifo', [path]) }),
  ],
  [
    'the disk in memory',
    () => {
      const disk = createMemoryDisk({ '/ground/.keep': '' });
      disk.entries.delete('/ground/.keep');
      return {
        disk,
        root: '/ground',
        link: (to, path) => void disk.entries.set(path, { kind: 'link', to }),
        other: (path) => void disk.entries.set(path, { kind: 'other' }),
      };
    },
  ],
];

describe.each(GROUNDS)('%s', (_, ground) => {
  it('[R-1] gives back the bytes it was given, and makes the folders on the way', async () => {
    const { disk, root } = ground();
    const path = join(root, 'a', 'b', 'odd');
    await disk.write(path, ODD);
    expect([...(await disk.read(path))]).toEqual([...ODD]);
    expect([...(await disk.readHead(path, 2))]).toEqual([0, 255]);
    expect(await disk.look(path)).toEqual({ kind: 'file', size: ODD.length, executable: false });
    await disk.write(path, 'text ü');
    expect(Buffer.from(await disk.read(path)).toString()).toBe('text ü');
  });

  it('[K-11] hashes what it copies', async () => {
    const { disk, root } = ground();
    await disk.write(join(root, 'from'), ODD);
    const digest = { sha256: sha256(ODD), bytes: ODD.length };
    expect(await disk.copy(join(root, 'from'), join(root, 'new', 'to'), { mode: 0o700, durable: true })).toEqual(digest);
    expect(await disk.hash(join(root, 'new', 'to'))).toEqual(digest);
    expect(await disk.look(join(root, 'new', 'to'))).toMatchObject({ executable: true });
    await disk.write(join(root, 'empty'), '');
    expect(await disk.hash(join(root, 'empty'))).toEqual({ sha256: sha256(''), bytes: 0 });
  });

  it('[K-3 L-6] never waits for, or reads through, what is no regular file', async () => {
    const { disk, root, link, other } = ground();
    await disk.write(join(root, 'file'), 'x');
    link(join(root, 'file'), join(root, 'link'));
    other(join(root, 'fifo'));
    expect(await disk.look(join(root, 'fifo'))).toMatchObject({ kind: 'other' });
    expect(await disk.look(join(root, 'link'))).toMatchObject({ kind: 'link' });
    for (const act of [
      (path: string) => disk.read(path),
      (path: string) => disk.hash(path),
      (path: string) => disk.readHead(path, 1),
      (path: string) => disk.copy(path, join(root, 'to')),
    ]) {
      await expect(act(join(root, 'fifo'))).rejects.toMatchObject({ code: 'EFTYPE' });
      await expect(act(root)).rejects.toMatchObject({ code: 'EISDIR' });
    }
    await expect(disk.hash(join(root, 'link'))).rejects.toMatchObject({ code: 'ELOOP' });
    await expect(disk.copy(join(root, 'link'), join(root, 'to'))).rejects.toMatchObject({ code: 'ELOOP' });
    expect(await disk.look(join(root, 'to'))).toBeNull();
    expect(Buffer.from(await disk.read(join(root, 'link'))).toString()).toBe('x');
  });

  it('[Q-22] names the operation, the path and the code', async () => {
    const { disk, root } = ground();
    const gone = join(root, 'gone');
    const failures: readonly (readonly [string, Promise<unknown>])[] = [
      ['read', disk.read(gone)],
      ['hash', disk.hash(gone)],
      ['copy', disk.copy(gone, join(root, 'to'))],
      ['list', disk.list(gone)],
      ['rename', disk.rename(gone, join(root, 'to'))],
    ];
    for (const [operation, failing] of failures) {
      const error = await failing.then(
        () => null,
        (thrown: unknown) => thrown,
      );
      expect(error).toBeInstanceOf(DiskError);
      expect(error).toMatchObject({ operation, path: gone, code: 'ENOENT' });
    }
    await disk.write(join(root, 'file'), '');
    await expect(disk.write(join(root, 'file', 'x'), '')).rejects.toMatchObject({ code: 'ENOTDIR' });
    await expect(disk.makeFolder(join(root, 'file'))).rejects.toMatchObject({ code: 'EEXIST' });
    await disk.makeFolder(join(root, 'folder/inside'));
    const onFolder = disk.copy(join(root, 'file'), join(root, 'folder'));
    await expect(onFolder).rejects.toMatchObject({ operation: 'copy', path: expect.stringContaining(join(root, 'folder')) });
  });

  it('[A-19] lists in bytewise order', async () => {
    const { disk, root } = ground();
    const names = ['b', 'B', 'ä', '10', '9', '\u{1F600}', '\uFF5E'];
    for (const name of names) await disk.write(join(root, name), '');
    expect(await disk.list(root)).toEqual(['10', '9', 'B', 'b', 'ä', '\uFF5E', '\u{1F600}']);
  });

  it('[A-16] resolves links on the way, and says null for what is not there', async () => {
    const { disk, root, link } = ground();
    await disk.write(join(root, 'real', 'file'), 'x');
    link(join(root, 'real'), join(root, 'way'));
    link(join(root, 'nowhere'), join(root, 'dangling'));
    expect(await disk.real(join(root, 'way', 'file'))).toBe(join(root, 'real', 'file'));
    expect(await disk.real(join(root, 'dangling'))).toBeNull();
    expect(await disk.real(join(root, 'real', 'file', 'below'))).toBeNull();
    expect(await disk.look(join(root, 'real', 'file', 'below'))).toBeNull();
  });

  it('[S-5] measures and removes, following no link', async () => {
    const { disk, root, link } = ground();
    await disk.write(join(root, 'outside'), 'x'.repeat(1000));
    await disk.write(join(root, 'tmp', 'a'), 'x'.repeat(10));
    await disk.write(join(root, 'tmp', 'deep', 'b'), 'x'.repeat(20));
    link(join(root, 'outside'), join(root, 'tmp', 'link'));
    link(root, join(root, 'tmp', 'deep', 'circle'));
    expect(await disk.measure(join(root, 'tmp'), 1_000_000)).toBe(30);
    expect(await disk.measure(join(root, 'tmp'), 5)).toBeGreaterThan(5);
    await disk.remove(join(root, 'tmp'));
    await disk.remove(join(root, 'tmp'));
    expect(await disk.look(join(root, 'tmp'))).toBeNull();
    expect(await disk.look(join(root, 'outside'))).toMatchObject({ size: 1000 });
  });

  it('[R-1] replaces whole, and a link itself instead of what it leads to', async () => {
    const { disk, root, link } = ground();
    await disk.write(join(root, 'target'), 'old');
    link(join(root, 'target'), join(root, 'link'));
    await disk.write(join(root, 'link'), 'new');
    expect(Buffer.from(await disk.read(join(root, 'target'))).toString()).toBe('old');
    expect(await disk.look(join(root, 'link'))).toMatchObject({ kind: 'file' });
    await expect(disk.write(root, 'x')).rejects.toBeInstanceOf(DiskError);
  });
});

describe('the real disk alone', () => {
  it('[O-6] keeps what it makes private', async () => {
    const root = scratchFolder();
    await createDisk().write(join(root, 'new', 'file'), 'x');
    expect(statSync(join(root, 'new')).mode & 0o777).toBe(0o700);
    expect(statSync(join(root, 'new', 'file')).mode & 0o777).toBe(0o600);
  });

  it('[L-6] keeps the mode of what it replaces when told to', async () => {
    const root = scratchFolder();
    writeFileSync(join(root, 'script'), 'old');
    chmodSync(join(root, 'script'), 0o754);
    await createDisk().write(join(root, 'script'), 'new', { mode: 'kept' });
    expect(statSync(join(root, 'script')).mode & 0o777).toBe(0o754);
    await createDisk().write(join(root, 'fresh'), 'new', { mode: 'kept' });
    expect(statSync(join(root, 'fresh')).mode & 0o777).toBe(0o666 & ~process.umask());
  });

  it('[Q-22 L-6] answers where no folder can be made', async () => {
    await expect(createDisk().makeFolder('/proc/none/below')).rejects.toBeInstanceOf(DiskError);
    await expect(createDisk().write('/proc/none/below/file', 'x')).rejects.toBeInstanceOf(DiskError);
  });

  it('[Q-22] says of a read-only file system that it is one (passed over where mounting is not allowed)', async ({ skip }) => {
    const root = scratchFolder();
    const disk = createDisk();
    const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', 'ro', 'tmpfs', root]).status === 0;
    skip(!mounted, 'mounting is not allowed here');
    try {
      await expect(disk.makeFolder(join(root, 'a/b'))).rejects.toMatchObject({ operation: 'make folder', code: 'EROFS' });
      await expect(disk.write(join(root, 'a/b'), 'x')).rejects.toMatchObject({ operation: 'write', code: 'EROFS' });
    } finally {
      spawnSync('umount', [root]);
    }
  });

  it('[Q-22] leaves nothing of a write that failed', async () => {
    const root = scratchFolder();
    mkdirSync(join(root, 'folder'));
    writeFileSync(join(root, 'folder', 'x'), '');
    await expect(createDisk().write(join(root, 'folder'), 'x')).rejects.toBeInstanceOf(DiskError);
    expect(readdirSync(root)).toEqual(['folder']);
  });

  it('[S-5 L-10] what was made a link is no folder: it goes, what it leads to stays and counts nothing', async () => {
    const root = scratchFolder();
    const disk = createDisk();
    mkdirSync(join(root, 'mine', 'deep'), { recursive: true });
    writeFileSync(join(root, 'mine', 'deep', 'precious'), 'x');
    symlinkSync(join(root, 'mine'), join(root, 'tmp'));
    expect(await disk.measure(join(root, 'tmp'), 1_000_000)).toBe(0);
    await disk.remove(join(root, 'tmp'));
    expect(readdirSync(root)).toEqual(['mine']);
    expect(readFileSync(join(root, 'mine', 'deep', 'precious'), 'utf8')).toBe('x');
  });

  it('[S-5] removes what took its own rights away', async () => {
    const root = scratchFolder();
    mkdirSync(join(root, 'a', 'b'), { recursive: true });
    writeFileSync(join(root, 'a', 'b', 'file'), '');
    chmodSync(join(root, 'a', 'b'), 0);
    chmodSync(join(root, 'a'), 0o500);
    await createDisk().remove(join(root, 'a'));
    expect(existsSync(join(root, 'a'))).toBe(false);
  });

  it('[Q-6] copies and hashes what is large in flat memory', async () => {
    const root = scratchFolder();
    const bytes = 300 << 20;
    const fd = openSync(join(root, 'large'), 'w');
    ftruncateSync(fd, bytes);
    closeSync(fd);
    const disk = createDisk();
    const before = process.memoryUsage().rss;
    let peak = before;
    const timer = setInterval(() => (peak = Math.max(peak, process.memoryUsage().rss)), 5);
    const copied = await disk.copy(join(root, 'large'), join(root, 'copy'));
    clearInterval(timer);
    expect(copied.bytes).toBe(bytes);
    expect(await disk.hash(join(root, 'copy'))).toEqual(copied);
    expect(peak - before).toBeLessThan(64 << 20);
  });

  it.each([1 << 18, (1 << 18) + 1, 16 << 20, (16 << 20) + 1, 17 << 20])(
    '[Q-6 K-11] copies and hashes %i bytes, each once',
    async (bytes) => {
      const disk = createDisk();
      const root = scratchFolder();
      const content = Buffer.alloc(bytes, 'the bytes that were judged are those that are sealed. ');
      writeFileSync(join(root, 'from'), content);
      const digest = { sha256: sha256(content), bytes };
      expect(await disk.hash(join(root, 'from'))).toEqual(digest);
      expect(await disk.copy(join(root, 'from'), join(root, 'to'))).toEqual(digest);
      expect(readFileSync(join(root, 'to')).equals(content)).toBe(true);
    },
  );

  it('[R-1 K-11] makes a durable copy where nothing stands and where something does, and leaves none that failed', async () => {
    const disk = createDisk();
    const root = scratchFolder();
    writeFileSync(join(root, 'from'), 'first');
    const to = join(root, 'new', 'folder', 'to');
    expect(await disk.copy(join(root, 'from'), to, { durable: true })).toEqual({ sha256: sha256('first'), bytes: 5 });
    expect(statSync(to).mode & 0o777).toBe(0o600);
    writeFileSync(join(root, 'from'), 'second');
    expect(await disk.copy(join(root, 'from'), to, { durable: true })).toEqual({ sha256: sha256('second'), bytes: 6 });
    expect(readFileSync(to, 'utf8')).toBe('second');
    symlinkSync(join(root, 'from'), join(root, 'link'));
    await disk.copy(join(root, 'from'), join(root, 'link'), { durable: true });
    expect(lstatSync(join(root, 'link')).isFile()).toBe(true);
    expect(readdirSync(join(root, 'new', 'folder'))).toEqual(['to']);
  });

  it('[R-1 Q-22] leaves nothing of a durable copy that failed (passed over where mounting is not allowed)', async ({ skip }) => {
    const root = scratchFolder();
    const small = scratchFolder();
    const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=64k', 'tmpfs', small]).status === 0;
    skip(!mounted, 'mounting is not allowed here');
    try {
      writeFileSync(join(root, 'from'), Buffer.alloc(1 << 20));
      await expect(createDisk().copy(join(root, 'from'), join(small, 'to'), { durable: true })).rejects.toMatchObject({ code: 'ENOSPC' });
      expect(readdirSync(small)).toEqual([]);
    } finally {
      spawnSync('umount', [small]);
    }
  });

  it('[Q-6 K-11] hashes several files at the same time, each by itself', async () => {
    const disk = createDisk();
    const root = scratchFolder();
    const contents = ['a', 'b', 'c', 'd'].map((letter) => Buffer.alloc(1 << 20, letter));
    contents.forEach((content, n) => writeFileSync(join(root, String(n)), content));
    const digests = await Promise.all(
      contents.flatMap((_, n) => [disk.hash(join(root, String(n))), disk.copy(join(root, String(n)), join(root, `to-${n}`))]),
    );
    expect(digests.map(({ sha256: found }) => found)).toEqual(contents.flatMap((content) => [sha256(content), sha256(content)]));
  });

  it('[L-6] reads what says it is empty and is not', async () => {
    if (!existsSync('/proc/self/status')) return expect(existsSync('/proc')).toBe(false);
    const bytes = await createDisk().read('/proc/self/status');
    expect(Buffer.from(bytes).toString()).toContain('Pid:');
    expect(readFileSync('/proc/self/status').length).toBeGreaterThan(0);
  });

  it('[L-6] does not read devices', async () => {
    await expect(createDisk().read('/dev/zero')).rejects.toMatchObject({ code: 'EFTYPE' });
    await expect(createDisk().hash('/dev/null')).rejects.toMatchObject({ code: 'EFTYPE' });
  });
});
