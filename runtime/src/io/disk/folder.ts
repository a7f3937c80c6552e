import { existsSync, mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { codeOf } from './guard.js';

/**
 * Makes a folder and what is missing above it; an existing folder is fine. Node's own `recursive` never returns where a parent
 * cannot be made (below `/proc`), and says `ENOENT` of a read-only file system.
 */
export function makeFolders(path: string, mode: number): void {
  // Asking is cheaper than an error that says no.
  const above = dirname(path);
  if (above !== path && !existsSync(above)) makeFolders(above, mode);
  makeFolder(path, mode);
}

function makeFolder(path: string, mode: number): void {
  try {
    mkdirSync(path, { mode });
  } catch (error) {
    if (codeOf(error) !== 'EEXIST' || !statSync(path).isDirectory()) throw error;
  }
}
