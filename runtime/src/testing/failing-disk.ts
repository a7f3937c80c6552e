import type { Disk } from '../ports/disk.js';
import { countCalls, type Count, type Failure } from './failing-calls.js';

export interface FailingDisk extends Disk {
  /** The operations so far, in order: `write /x`. */
  readonly calls: readonly string[];
}

/** A disk of which one call fails, so that every call of a story can be made to fail in turn. */
export function createFailingDisk(disk: Disk, failure: Failure | null): FailingDisk {
  const { calls, count } = countCalls(failure);
  return { calls, ...failingDisk(disk, count) };
}

export function failingDisk(disk: Disk, count: Count): Disk {
  return {
    async read(path) {
      count('read', path);
      return disk.read(path);
    },
    async readHead(path, bytes) {
      count('read', path);
      return disk.readHead(path, bytes);
    },
    async *stream(path) {
      count('read', path);
      yield* disk.stream(path);
    },
    async write(path, bytes, options) {
      count('write', path);
      return disk.write(path, bytes, options);
    },
    async copy(from, to, options) {
      count('copy', from);
      return disk.copy(from, to, options);
    },
    async hash(path) {
      count('hash', path);
      return disk.hash(path);
    },
    async look(path) {
      count('look at', path);
      return disk.look(path);
    },
    async real(path) {
      count('resolve', path);
      return disk.real(path);
    },
    async list(path) {
      count('list', path);
      return disk.list(path);
    },
    async makeFolder(path) {
      count('make folder', path);
      return disk.makeFolder(path);
    },
    async remove(path) {
      count('remove', path);
      return disk.remove(path);
    },
    async rename(from, to) {
      count('rename', from);
      return disk.rename(from, to);
    },
    async measure(path, limit) {
      count('measure', path);
      return disk.measure(path, limit);
    },
  };
}
