import { open, readFile, rm } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import { dirname } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { FIRST_PREV, auditLine, hashOfLine } from '../audit/entry.js';
import type { ContractReport } from '../report/report.js';
import { makeFolder, whyNot } from './disk.js';

export interface AuditFile {
  readonly path: string;
  /** Appends the entries, chained and signed, in one write and one fsync. Rejects when they are not safely on the disk: then none is. */
  append(reports: readonly ContractReport[]): Promise<void>;
}

const LOCK_WAIT_MS = 10_000;
const TAIL = 64 * 1024;

/** An audit file (C-10). Several processes may append to one: each takes a lock beside it while it writes. */
export function openAuditFile(path: string, key: string | undefined): AuditFile {
  let queue = Promise.resolve();
  return {
    path,
    append(reports) {
      const turn = queue.then(() => appendLocked(path, reports, key));
      queue = turn.catch(() => {});
      return turn;
    },
  };
}

async function appendLocked(path: string, reports: readonly ContractReport[], key: string | undefined): Promise<void> {
  try {
    await makeFolder(dirname(path));
    const release = await lock(`${path}.lock`);
    try {
      await appendTo(path, reports, key);
    } finally {
      await release();
    }
  } catch (error) {
    throw new Error(`The audit ${path} cannot be written: ${whyNot(error)}.`);
  }
}

async function appendTo(path: string, reports: readonly ContractReport[], key: string | undefined): Promise<void> {
  const file = await open(path, 'a+', 0o600);
  try {
    const { size } = await file.stat();
    const last = await lastLine(file, size);
    let prev = last === null ? FIRST_PREV : hashOfLine(last.line);
    // A line that was cut off stays as it is, for whoever verifies; the next begins on its own.
    let text = last === null || last.whole ? '' : '\n';
    for (const report of reports) {
      const line = auditLine(report, { prev, ...(key === undefined ? {} : { key }) });
      prev = hashOfLine(line);
      text += `${line}\n`;
    }
    try {
      await file.appendFile(text);
      await file.sync();
    } catch (error) {
      await file.truncate(size).catch(() => {});
      throw error;
    }
  } finally {
    await file.close();
  }
}

async function lastLine(file: FileHandle, size: number): Promise<{ line: Buffer; whole: boolean } | null> {
  if (size === 0) return null;
  for (let length = Math.min(size, TAIL); ; length = Math.min(size, length * 8)) {
    const buffer = Buffer.alloc(length);
    await file.read(buffer, 0, length, size - length);
    const whole = buffer[length - 1] === 0x0a;
    const end = whole ? length - 1 : length;
    const feed = buffer.lastIndexOf(0x0a, end - 1);
    if (feed !== -1 || length === size) return { line: buffer.subarray(feed + 1, end), whole };
  }
}

/** A lock file with the process's id in it; one whose process is gone is taken over. */
async function lock(path: string): Promise<() => Promise<void>> {
  const until = Date.now() + LOCK_WAIT_MS;
  for (;;) {
    try {
      const file = await open(path, 'wx', 0o600);
      await claimed(file, path);
      return () => rm(path, { force: true });
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
      if (await isStale(path)) await rm(path, { force: true });
      else if (Date.now() > until) throw new Error(`another process holds ${path}`, { cause: error });
      else await pause(5 + Math.random() * 20);
    }
  }
}

/** Writes whose lock it is. On a full disk none stays: nobody could tell that its owner is gone. */
async function claimed(file: FileHandle, path: string): Promise<void> {
  try {
    await file.writeFile(String(process.pid));
  } catch (error) {
    await rm(path, { force: true });
    throw error;
  } finally {
    await file.close();
  }
}

async function isStale(path: string): Promise<boolean> {
  const pid = Number(await readFile(path, 'utf8').catch(() => ''));
  // Empty: somebody is just writing it.
  if (!Number.isInteger(pid) || pid <= 0) return false;
  try {
    process.kill(pid, 0);
    return false;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'ESRCH';
  }
}
