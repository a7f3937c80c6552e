import { createHash } from 'node:crypto';
import { readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';
import type { ProcessMark, ProcessPlace, Processes } from '../ports/processes.js';
import { codeOf } from './disk/guard.js';
import { isLiving, readProcess } from './process-table.js';

/** The port on the real system: `/proc` where there is one, the process number alone elsewhere. */
export const processes: Processes = {
  self: () => markOf(process.pid) ?? { pid: process.pid, started: null, boot: bootId() },
  place,
  mark: (pid) => (lives(pid) ? markOf(pid) : null),
  alive(mark: ProcessMark): boolean {
    if (!lives(mark.pid)) return false;
    const now = markOf(mark.pid);
    return now !== null && now.started === mark.started && now.boot === mark.boot;
  },
};

function lives(pid: number): boolean {
  // Zero and negative numbers name groups; a signal to one of those says nothing about a process.
  if (!Number.isSafeInteger(pid) || pid <= 0) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return codeOf(error) === 'EPERM';
  }
}

/** Null when the process is gone or a zombie. */
function markOf(pid: number): ProcessMark | null {
  const boot = bootId();
  if (boot === null) return { pid, started: null, boot };
  const entry = readProcess(pid);
  return entry !== null && isLiving(entry) ? { pid, started: entry.startTime, boot } : null;
}

/** Null where the system has no `/proc`. */
function bootId(): string | null {
  return quietly(() => readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim());
}

/** The host is a hash, so that a home that is copied elsewhere does not tell where it came from. */
function place(): ProcessPlace {
  const machine = quietly(() => readFileSync('/etc/machine-id', 'utf8').trim()) ?? '';
  const host = createHash('sha256').update(`${hostname()}\n${machine}`).digest('hex').slice(0, 16);
  return { host, space: quietly(() => readlinkSync('/proc/self/ns/pid')) };
}

function quietly(act: () => string): string | null {
  try {
    return act();
  } catch {
    return null;
  }
}
