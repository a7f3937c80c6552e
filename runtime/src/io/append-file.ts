import type { BigIntStats } from 'node:fs';
import { closeSync, constants, fdatasync, fstatSync, ftruncateSync, lstatSync, openSync, writeSync } from 'node:fs';
import { promisify } from 'node:util';
import type { AppendFile, FileStamp } from '../ports/append.js';
import { DiskError } from '../ports/disk.js';
import { hashFile } from './disk/digest.js';
import { asDiskError, guarded, isAbsent } from './disk/guard.js';

const dataSync = promisify(fdatasync);
const FLAGS = constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW;

/** An append-only file of our own: made here, 0600, written synchronously so that the call order is the file's order. */
export function openAppendFile(path: string): AppendFile {
  const fd = attempt('open', path, () => openSync(path, FLAGS, 0o600));
  let size = 0;
  let torn = false;

  const append = (bytes: Uint8Array): void => {
    if (torn) throw new DiskError('append', path, 'EIO');
    let written = 0;
    try {
      while (written < bytes.length) {
        const step = writeSync(fd, bytes, written);
        if (step === 0) throw new DiskError('append', path, 'ENOSPC');
        written += step;
      }
      size += written;
    } catch (error) {
      if (written > 0) torn = !cutTo(fd, size);
      throw asDiskError('append', path, error);
    }
  };

  return {
    append,
    sync: () => guarded('sync', path, () => dataSync(fd)),
    stamp: () => attempt('look', path, () => stampOf(fstatSync(fd, { bigint: true }))),
    standing: () => guarded('look', path, () => standingAt(path)),
    hash: () => guarded('hash', path, async () => (await hashFile(path)).sha256),
    close: () => closeQuietly(fd),
  };
}

/** A close that fails takes nothing back that was appended, and leaves no descriptor. */
function closeQuietly(fd: number): void {
  try {
    closeSync(fd);
  } catch {
    // Whoever relies on the bytes has made them durable, or hashes them again.
  }
}

function cutTo(fd: number, size: number): boolean {
  try {
    ftruncateSync(fd, size);
    return true;
  } catch {
    return false;
  }
}

async function standingAt(path: string): Promise<FileStamp | null> {
  try {
    return stampOf(lstatSync(path, { bigint: true }));
  } catch (error) {
    if (isAbsent(error)) return null;
    throw error;
  }
}

function stampOf(stats: BigIntStats): FileStamp {
  return { device: stats.dev, inode: stats.ino, size: stats.size, modified: stats.mtimeNs, changed: stats.ctimeNs };
}

function attempt<T>(operation: string, path: string, act: () => T): T {
  try {
    return act();
  } catch (error) {
    throw asDiskError(operation, path, error);
  }
}
