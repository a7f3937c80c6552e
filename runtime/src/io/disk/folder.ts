import { existsSync, mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { codeOf } from './guard.js';

/** Makes a folder and what is missing above it. On a read-only file system Node says `ENOENT` of that; this throws what is true. */
export function makeFolders(path: string, mode: number): void {
  try {
    mkdirSync(path, { recursive: true, mode });
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') throw error;
    mkdirSync(highestMissing(path), { mode });
    mkdirSync(path, { recursive: true, mode });
  }
}

function highestMissing(path: string): string {
  const parent = dirname(path);
  return parent === path || existsSync(parent) ? path : highestMissing(parent);
}
