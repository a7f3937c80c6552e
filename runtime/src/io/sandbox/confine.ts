import { closeSync, constants, mkdirSync, openSync, readlinkSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { Allows, ConfineDisk } from '../../ports/containment.js';
import { type Disk, DiskError } from '../../ports/disk.js';
import { asDiskError, codeOf } from '../disk/guard.js';

/** Names a file without opening it: no device acts, no pipe waits. Linux alone has it, and Node no name for it. */
const O_PATH = 0o10000000;
const FOLDER = O_PATH | constants.O_DIRECTORY;

/** The port on the real disk. */
export function confiner(disk: Disk): ConfineDisk {
  return (rules) => ({
    ...disk,
    read: (path) => withFile(path, rules, (held) => disk.read(held)),
    readHead: (path, bytes) => withFile(path, rules, (held) => disk.readHead(held, bytes)),
    async *stream(path) {
      const fd = openAllowed(path, await rules());
      try {
        yield* disk.stream(held(fd));
      } finally {
        closeSync(fd);
      }
    },
    async write(path, bytes, options) {
      const fd = openFolder(dirname(path), await rules());
      try {
        if (!(await rules())(join(realOf(fd), basename(path)), true)) throw new DiskError('write', path, 'EACCES');
        await disk.write(join(held(fd), basename(path)), bytes, options);
      } finally {
        closeSync(fd);
      }
    },
  });
}

async function withFile<T>(path: string, rules: () => Promise<Allows>, use: (held: string) => Promise<T>): Promise<T> {
  const fd = openAllowed(path, await rules());
  try {
    return await use(held(fd));
  } finally {
    closeSync(fd);
  }
}

function openAllowed(path: string, allows: Allows): number {
  const fd = open(path, O_PATH);
  if (allows(realOf(fd), false)) return fd;
  closeSync(fd);
  throw new DiskError('read', path, 'EACCES');
}

/** The folder, made where it is missing: each one inside the last, which is held. */
function openFolder(path: string, allows: Allows): number {
  try {
    return open(path, FOLDER);
  } catch (error) {
    if (!(error instanceof DiskError) || error.code !== 'ENOENT' || dirname(path) === path) throw error;
  }
  const above = openFolder(dirname(path), allows);
  try {
    if (!allows(join(realOf(above), basename(path)), true)) throw new DiskError('make folder', path, 'EACCES');
    const inside = join(held(above), basename(path));
    makeFolder(inside);
    return open(inside, FOLDER | constants.O_NOFOLLOW);
  } finally {
    closeSync(above);
  }
}

function makeFolder(path: string): void {
  try {
    mkdirSync(path, 0o777);
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw asDiskError('make folder', path, error);
  }
}

function open(path: string, flags: number): number {
  try {
    return openSync(path, flags);
  } catch (error) {
    throw asDiskError('open', path, error);
  }
}

/** A path to what is held, wherever it is by now. */
function held(fd: number): string {
  return `/proc/self/fd/${fd}`;
}

function realOf(fd: number): string {
  return readlinkSync(held(fd));
}
