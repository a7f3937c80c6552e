import { closeSync, constants, fstatSync, ftruncateSync, openSync } from 'node:fs';
import { dirname } from 'node:path';
import { makeFolders } from '../disk/folder.js';
import { asDiskError, codeOf } from '../disk/guard.js';

/** Where both outputs of one program go. One descriptor, appending: two would lose the order, and nothing passes through this process. */
export interface Capture {
  readonly fd: number;
  size(): number;
  /** Null when the system does not say just now: for a look that another one follows. Never throws. */
  sizeIfKnown(): number | null;
  cut(bytes: number): void;
  close(): void;
}

/** Throws a DiskError. Never writes through a link. */
export function openCapture(path: string): Capture {
  const fd = failing(path, () => openNew(path));
  let open = true;
  return {
    fd,
    size: () => failing(path, () => fstatSync(fd).size),
    sizeIfKnown() {
      try {
        return fstatSync(fd).size;
      } catch {
        return null;
      }
    },
    cut: (bytes) => failing(path, () => ftruncateSync(fd, bytes)),
    close() {
      if (!open) return;
      open = false;
      try {
        closeSync(fd);
      } catch {
        // The capture is hashed from the disk afterwards.
      }
    },
  };
}

function openNew(path: string): number {
  const flags =
    constants.O_WRONLY | constants.O_CREAT | constants.O_TRUNC | constants.O_APPEND | constants.O_NOFOLLOW | constants.O_NONBLOCK;
  try {
    return openSync(path, flags, 0o600);
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') throw error;
    makeFolders(dirname(path), 0o700);
    return openSync(path, flags, 0o600);
  }
}

function failing<T>(path: string, act: () => T): T {
  try {
    return act();
  } catch (error) {
    throw asDiskError('capture to', path, error);
  }
}
