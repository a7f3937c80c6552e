import { join } from 'node:path';
import type { HashedFile } from '@gated-flow/record';
import { readTree } from '@gated-flow/record';
import { DiskError } from '../ports/disk.js';
import type { HashTree } from '../ports/hash-tree.js';
import { asDiskError } from './disk/guard.js';

/** The port on the real file system. */
export const hashTree: HashTree = async (folder, leftOut) => {
  const files: HashedFile[] = [];
  try {
    for await (const entry of readTree(folder, leftOut)) {
      if (entry.kind !== 'file') throw new DiskError('seal', join(folder, entry.path), entry.detail);
      files.push({ path: entry.path, sha256: entry.sha256 });
    }
  } catch (error) {
    throw asDiskError('seal', folder, error);
  }
  return files;
};
