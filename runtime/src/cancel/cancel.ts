/** Ends a run that goes on, from another process: its own ending, with its record, not a kill (E-2, R-7). */
import { type Cause, glanceAt } from '@gated-flow/record';
import type { Clock } from '../ports/clock.js';
import type { Disk } from '../ports/disk.js';
import type { Interrupt } from '../ports/interrupt.js';
import type { ProcessMark, Processes } from '../ports/processes.js';
import { parseLock, parsePlace } from '../record/marks.js';

export interface CancelPorts {
  readonly disk: Pick<Disk, 'look' | 'readHead'>;
  readonly processes: Processes;
  readonly clock: Pick<Clock, 'elapsed' | 'sleep'>;
  readonly interrupt: Interrupt;
}

export type Cancelled =
  /** It ended, and its record says how: `signal`, unless it had just come to an end of its own. */
  | { readonly cancelled: 'ended'; readonly cause: Cause; readonly exit: number; readonly ms: number }
  /** It was not going on. `cause` is null when it died without an end. */
  | { readonly cancelled: 'not-running'; readonly cause: Cause | null; readonly exit: number | null }
  /** Its process died before the record had an end. */
  | { readonly cancelled: 'died' }
  /** It was told to end and has not yet. */
  | { readonly cancelled: 'waiting'; readonly pid: number; readonly ms: number }
  /** It lives where process numbers mean something else. */
  | { readonly cancelled: 'elsewhere'; readonly where: 'machine' | 'container' }
  | { readonly cancelled: 'unsure' | 'refused'; readonly pid: number };

const LOCK_MAX_BYTES = 4096;
const LOOK_MS = 50;

/** `folder`: an outermost run's. Sends one signal at most, since a second would cut the ending short. Rejects with a DiskError. */
export async function cancelRun(folder: string, waitMs: number, ports: CancelPorts): Promise<Cancelled> {
  const held = await holderOf(folder, ports);
  if (held === null) return notRunning(folder);
  if ('cancelled' in held) return held;
  const began = ports.clock.elapsed();
  const sent = ports.interrupt(held);
  if (sent === 'gone') return notRunning(folder);
  if (sent !== 'sent') return { cancelled: sent, pid: held.pid };
  for (;;) {
    const ms = Math.round(ports.clock.elapsed() - began);
    if ((await ports.disk.look(`${folder}.lock`)) === null) return ended(folder, ms);
    if (!ports.processes.alive(held)) return ended(folder, ms);
    if (ms >= waitMs) return { cancelled: 'waiting', pid: held.pid, ms };
    await ports.clock.sleep(LOOK_MS);
  }
}

/** The process that holds the run, by its lock; null when nobody does, or it is dead. */
async function holderOf(folder: string, { disk, processes }: CancelPorts): Promise<ProcessMark | Cancelled | null> {
  const lock = `${folder}.lock`;
  if ((await disk.look(lock))?.kind !== 'file') return null;
  const text = Buffer.from(await disk.readHead(lock, LOCK_MAX_BYTES)).toString();
  const [mark, place, here] = [parseLock(text), parsePlace(text), processes.place()];
  if (mark === null) return null;
  if (place !== null && place.host !== here.host) return { cancelled: 'elsewhere', where: 'machine' };
  if (place !== null && place.space !== here.space && mark.boot === processes.self().boot)
    return { cancelled: 'elsewhere', where: 'container' };
  return processes.alive(mark) ? mark : null;
}

async function ended(folder: string, ms: number): Promise<Cancelled> {
  const end = await endOf(folder);
  return end === null ? { cancelled: 'died' } : { cancelled: 'ended', ...end, ms };
}

async function notRunning(folder: string): Promise<Cancelled> {
  const end = await endOf(folder);
  return { cancelled: 'not-running', cause: end?.cause ?? null, exit: end?.exit ?? null };
}

async function endOf(folder: string): Promise<{ cause: Cause; exit: number } | null> {
  const last = (await glanceAt(folder))?.last;
  return last?.event === 'run_end' ? { cause: last.cause, exit: last.exit } : null;
}
