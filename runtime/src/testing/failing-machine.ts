import type { AppendFile } from '../ports/append.js';
import type { Claims } from '../ports/claims.js';
import type { Programs } from '../ports/programs.js';
import type { Machine } from '../run/machine.js';
import { countCalls, type Count, type Failure } from './failing-calls.js';
import { failingDisk } from './failing-disk.js';

export interface FailingMachine extends Machine {
  /** The operations so far, in order: `append /x`. */
  readonly calls: readonly string[];
}

/** A machine of which one call that touches the file system fails, whatever port it goes through. */
export function createFailingMachine(machine: Machine, failure: Failure | null): FailingMachine {
  const { calls, count } = countCalls(failure);
  return {
    ...machine,
    calls,
    disk: failingDisk(machine.disk, count),
    claims: failingClaims(machine.claims, count),
    openAppend(path) {
      count('open', path);
      return failingAppend(machine.openAppend(path), path, count);
    },
    async hashTree(folder, leftOut) {
      count('seal', folder);
      return machine.hashTree(folder, leftOut);
    },
    programs: (started) => failingPrograms(machine.programs(started), count),
    worktrees: {
      async open(request) {
        count('make a working tree', request.folder);
        return machine.worktrees.open(request);
      },
    },
  };
}

function failingClaims(claims: Claims, count: Count): Claims {
  return {
    async folder(path) {
      count('make folder', path);
      return claims.folder(path);
    },
    async file(path, text) {
      count('claim', path);
      return claims.file(path, text);
    },
    async owner(path) {
      count('look at', path);
      return claims.owner(path);
    },
  };
}

function failingAppend(file: AppendFile, path: string, count: Count): AppendFile {
  return {
    append(bytes) {
      count('append', path);
      file.append(bytes);
    },
    async sync() {
      count('sync', path);
      await file.sync();
    },
    stamp() {
      count('look', path);
      return file.stamp();
    },
    async standing() {
      count('look', path);
      return file.standing();
    },
    async hash() {
      count('hash', path);
      return file.hash();
    },
    close: () => file.close(),
  };
}

/** The capture of a program is the one file that it needs. */
function failingPrograms(programs: Programs, count: Count): Programs {
  return {
    ...programs,
    async run(request) {
      count('capture to', request.capture);
      return programs.run(request);
    },
  };
}
