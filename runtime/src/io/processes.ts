import { readFileSync } from 'node:fs';
import type { ProcessMark, Processes } from '../ports/processes.js';

/** The port on the real system: `/proc` where there is one, the process number alone elsewhere. */
export const processes: Processes = {
  self: () => markOf(process.pid) ?? { pid: process.pid, started: null, boot: bootId() },
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
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

/** Null when the process is gone or a zombie. */
function markOf(pid: number): ProcessMark | null {
  const boot = bootId();
  if (boot === null) return { pid, started: null, boot };
  const stat = readText(`/proc/${pid}/stat`);
  if (stat === null) return null;
  // The program's name stands in parentheses and may hold both spaces and parentheses: count from the last one.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const state = fields[0];
  return state === 'Z' || state === 'X' ? null : { pid, started: fields[19] ?? null, boot };
}

function bootId(): string | null {
  return readText('/proc/sys/kernel/random/boot_id')?.trim() ?? null;
}

function readText(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return null;
  }
}
