import type { Clock } from '../../ports/clock.js';
import { isLiving, listProcesses, readProcess, type ProcessEntry } from '../process-table.js';
import { codeOf } from '../disk/guard.js';

/** How long a process has between SIGTERM and SIGKILL (K-13). */
const GRACE_MS = 5000;
/** How long a killed process may take to go, before nobody waits for it any more: one in the kernel's hands cannot be ended. */
const GOING_MS = 2000;
const LONGEST_PAUSE_MS = 50;

/** What is to be ended: asked for anew each time, because processes come and go. */
export interface Victims {
  /** False once nothing alive is left. */
  living(): boolean;
  signal(signal: 'SIGTERM' | 'SIGKILL'): void;
}

/** SIGTERM, 5 s, SIGKILL; resolves when nothing is left (K-13). */
export async function end(victims: Victims, clock: Clock): Promise<void> {
  if (!victims.living()) return;
  victims.signal('SIGTERM');
  if (await gone(victims, clock, GRACE_MS)) return;
  victims.signal('SIGKILL');
  await gone(victims, clock, GOING_MS);
}

async function gone(victims: Victims, clock: Clock, ms: number): Promise<boolean> {
  const until = clock.elapsed() + ms;
  for (let pause = 1; victims.living(); pause = Math.min(pause * 2, LONGEST_PAUSE_MS)) {
    if (clock.elapsed() >= until) return false;
    await clock.sleep(pause);
  }
  return true;
}

/** Waits a moment for a group that goes by itself: asking the kernel costs nothing, looking through /proc does. */
export async function letGo(group: number, clock: Clock): Promise<void> {
  for (let pause = 1; send(-group, 0) && pause <= LONGEST_PAUSE_MS / 2; pause *= 2) await clock.sleep(pause);
}

/** The members of process groups. */
export function groups(ids: readonly number[]): Victims {
  return {
    living: () => ids.some(groupLives),
    signal: (signal) => ids.forEach((id) => send(-id, signal)),
  };
}

/** What runs in a sandbox, by its leader. Its launcher is no victim before SIGKILL: with it everything inside ends at once. */
export function contained(leader: number): Victims {
  return {
    living: () => groupLives(leader),
    signal(signal) {
      const inside = signal === 'SIGTERM' ? insideOf(leader) : [];
      if (inside.length === 0) return void send(-leader, signal);
      for (const { pid } of inside) send(pid, signal);
    },
  };
}

/** Below the launcher stands the first process of the sandbox, which is the launcher's own too; whatever is below that is not. */
function insideOf(leader: number): ProcessEntry[] {
  const all = listProcesses();
  const childrenOf = (parents: readonly number[]): ProcessEntry[] => all.filter(({ parent }) => parents.includes(parent));
  const pidsOf = (entries: readonly ProcessEntry[]): number[] => entries.map(({ pid }) => pid);
  const inside: ProcessEntry[] = [];
  for (let next = childrenOf(pidsOf(childrenOf([leader]))); next.length > 0; next = childrenOf(pidsOf(next))) inside.push(...next);
  return inside;
}

/** Single processes, found anew by `find`. */
export function processes(find: () => readonly ProcessEntry[]): Victims {
  return {
    living: () => find().length > 0,
    signal: (signal) => find().forEach(({ pid }) => send(pid, signal)),
  };
}

/** Whether the group has a living member. A zombie that nobody collects keeps a group's number in use and is not alive. */
export function groupLives(group: number): boolean {
  if (!send(-group, 0)) return false;
  if (readProcess(process.pid) === null) return true;
  return listProcesses().some((entry) => entry.group === group && isLiving(entry));
}

/** False when there is nobody to take the signal. A process that may not be signalled is there. */
export function send(target: number, signal: 'SIGTERM' | 'SIGKILL' | 0): boolean {
  try {
    process.kill(target, signal);
    return true;
  } catch (error) {
    return codeOf(error) !== 'ESRCH';
  }
}
