import { mkdirSync, readFileSync, readdirSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { isWithin } from '../../src/agent/tools/place.js';
import { createDisk } from '../../src/io/disk.js';
import { confiner } from '../../src/io/sandbox/confine.js';
import { DiskError } from '../../src/ports/disk.js';
import { scratchFolder } from '../io/scratch.js';

const EACCES = { code: 'EACCES' };

/** `swap` is done between the question and the opening, as somebody else would. */
function bench(swap: (base: string) => void = () => {}) {
  const base = scratchFolder();
  const tree = join(base, 'tree');
  mkdirSync(join(tree, 'folder'), { recursive: true });
  mkdirSync(join(base, 'outside'));
  writeFileSync(join(tree, 'folder/file'), 'inside');
  writeFileSync(join(base, 'outside/file'), 'SECRET');
  const disk = confiner(createDisk())(async () => {
    swap(base);
    return (real) => isWithin(real, tree);
  });
  return { base, tree, disk };
}

const leadOut = (base: string): void => {
  if (readdirSync(base).includes('moved')) return;
  renameSync(join(base, 'tree/folder'), join(base, 'moved'));
  symlinkSync(join(base, 'outside'), join(base, 'tree/folder'));
};

describe.skipIf(process.platform !== 'linux')('the disk of a contained agent (needs Linux)', () => {
  it('[I-13] reads and writes inside, and makes folders there', async () => {
    const { disk, tree } = bench();
    expect(Buffer.from(await disk.read(join(tree, 'folder/file'))).toString()).toBe('inside');
    expect(Buffer.from(await disk.readHead(join(tree, 'folder/file'), 2)).toString()).toBe('in');
    await disk.write(join(tree, 'a/b/c'), 'new', { mode: 'kept' });
    expect(readFileSync(join(tree, 'a/b/c'), 'utf8')).toBe('new');
  });

  it('[I-13] a folder that becomes a link between the look and the opening leads nowhere', async () => {
    const read = bench(leadOut);
    await expect(read.disk.read(join(read.tree, 'folder/file'))).rejects.toMatchObject(EACCES);
    const stream = bench(leadOut);
    await expect(stream.disk.stream(join(stream.tree, 'folder/file'))[Symbol.asyncIterator]().next()).rejects.toMatchObject(EACCES);
    const write = bench(leadOut);
    await expect(write.disk.write(join(write.tree, 'folder/file'), 'evil', { mode: 'kept' })).rejects.toMatchObject(EACCES);
    const make = bench(leadOut);
    await expect(make.disk.write(join(make.tree, 'folder/new/file'), 'evil', { mode: 'kept' })).rejects.toMatchObject(EACCES);
    for (const { base } of [read, stream, write, make]) {
      expect(readdirSync(join(base, 'outside'))).toEqual(['file']);
      expect(readFileSync(join(base, 'outside/file'), 'utf8')).toBe('SECRET');
    }
  });

  it('[I-13] what is not there, and what is no file, is said as ever', async () => {
    const { disk, tree } = bench();
    await expect(disk.read(join(tree, 'none'))).rejects.toThrow(DiskError);
    await expect(disk.read(join(tree, 'folder'))).rejects.toMatchObject({ code: 'EISDIR' });
  });
});
