import { randomBytes } from 'node:crypto';
import { constants } from 'node:fs';
import { access, lstat, open, rm, stat, statfs } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { FolderFacts } from '../../ports/probe.js';
import { codeOf } from '../disk/guard.js';
import { askProgram } from './program.js';

/** Never rejects: what cannot be looked at is told as not writable. */
export async function folderFacts(path: string): Promise<FolderFacts> {
  const found = await standing(path);
  const usable = found.kind === 'folder' && found.own !== false;
  const nearest = await nearestFolder(path);
  const tried = usable ? await tryIn(path) : { unwritable: await refusedAt(nearest), executes: null };
  return { ...found, nearest, ...tried, free: await freeAt(nearest) };
}

const MISSING: Readonly<Record<string, 'absent' | 'closed'>> = { ENOENT: 'absent', EACCES: 'closed' };

async function standing(path: string): Promise<Pick<FolderFacts, 'kind' | 'own' | 'mode'>> {
  try {
    const stats = await lstat(path);
    const kind = stats.isDirectory() ? 'folder' : stats.isSymbolicLink() ? 'link' : 'other';
    return { kind, own: process.getuid === undefined ? null : stats.uid === process.getuid(), mode: stats.mode & 0o7777 };
  } catch (error) {
    return { kind: MISSING[codeOf(error) ?? ''] ?? 'other', own: null, mode: null };
  }
}

async function nearestFolder(path: string): Promise<string> {
  const above = dirname(path);
  if (above === path) return path;
  const stats = await stat(path).catch(() => null);
  return stats?.isDirectory() ? path : nearestFolder(above);
}

/** Makes a program of a name nobody has, runs it and removes it. */
async function tryIn(folder: string): Promise<Pick<FolderFacts, 'unwritable' | 'executes'>> {
  const file = join(folder, `.probe-${randomBytes(8).toString('hex')}`);
  try {
    const handle = await open(file, 'wx', 0o700);
    await handle.writeFile('#!/bin/sh\nexit 0\n').finally(() => handle.close());
    return { unwritable: null, executes: await runs(file) };
  } catch (error) {
    return { unwritable: codeOf(error) ?? 'unknown', executes: null };
  } finally {
    await rm(file, { force: true }).catch(() => undefined);
  }
}

/** Null when it cannot be told: no /bin/sh, or the file is still held by a process that was born meanwhile. */
async function runs(file: string): Promise<boolean | null> {
  const asked = await askProgram([file], {});
  if (asked.asked === 'answered') return asked.exit === 0;
  return asked.asked === 'absent' &&
    (await access('/bin/sh', constants.X_OK).then(
      () => true,
      () => false,
    ))
    ? false
    : null;
}

/** Why nothing can be made in a folder; null when something can. */
export async function refusedAt(folder: string): Promise<string | null> {
  try {
    await access(folder, constants.W_OK | constants.X_OK);
    return null;
  } catch (error) {
    return codeOf(error) ?? 'unknown';
  }
}

async function freeAt(folder: string): Promise<number | null> {
  try {
    const { bavail, bsize } = await statfs(folder);
    return bavail * bsize;
  } catch {
    return null;
  }
}
