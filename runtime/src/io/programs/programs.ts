import type { Clock } from '../../ports/clock.js';
import type { ProgramEnd, ProgramRequest, ProgramResult, Programs } from '../../ports/programs.js';
import { readProcess } from '../process-table.js';
import { openCapture, type Capture } from './capture.js';
import { contained, end, groups, letGo } from './kill.js';
import { createLiving, type OwnedGroup } from './living.js';
import { start, type Running } from './spawn.js';
import { watchSize } from './watch.js';

export interface ProgramsOptions {
  readonly clock: Clock;
  /** Called for every program as soon as it runs. When it throws, the program is ended and `run` rejects with what it threw. */
  readonly started?: (group: OwnedGroup) => void;
}

export interface NodePrograms extends Programs {
  /** SIGKILL to every group that may still live, without waiting: for a process about to end at once (E-2). */
  readonly killNow: () => void;
}

/** Programs as real processes (K-7, K-8, K-13, E-2). */
export function createPrograms({ clock, started }: ProgramsOptions): NodePrograms {
  const living = createLiving(clock);

  async function run(request: ProgramRequest): Promise<ProgramResult> {
    const begun = clock.elapsed();
    const capture = openCapture(request.capture);
    const running = request.stop.aborted ? ({ ended: 'stopped' } as const) : await start(request, capture.fd, clock);
    if ('ended' in running) {
      capture.close();
      return { end: running, bytes: 0, ms: clock.elapsed() - begun };
    }
    const { group } = running;
    const born = {
      group,
      startTime: readProcess(group)?.startTime ?? null,
      owner: request.owner,
      ...(request.within ? { contained: true as const } : {}),
    };
    living.add(born, capture, request.limitBytes);
    try {
      started?.(born);
      const ended = await untilEnd(request, running, capture);
      // A sandbox ends with its first program: that everything in it has gone is waited for.
      if (request.within) await letGo(group, clock);
      if (!request.leaveBehind || request.within) await end(groups([group]), clock);
      return { ...judgeSize(ended, request, capture), ms: clock.elapsed() - begun };
    } catch (error) {
      await end(groups([group]), clock);
      throw error;
    } finally {
      living.settle(group);
    }
  }

  /** The first reason wins: once something decided to kill, the exit that follows is no verdict. */
  async function untilEnd(request: ProgramRequest, { group, exited }: Running, capture: Capture): Promise<ProgramEnd> {
    let reason: 'timeout' | 'overflow' | 'stopped' | null = null;
    let killed: (() => void) | undefined;
    const killing = new Promise<void>((resolve) => (killed = resolve));
    const kill = (why: 'timeout' | 'overflow' | 'stopped') => {
      if (reason === null) void end(request.within ? contained(group) : groups([group]), clock).then(killed);
      reason ??= why;
    };
    const stop = () => kill('stopped');
    const cancelTimeout = clock.after(request.timeoutMs, () => kill('timeout'));
    const endWatch = watchSize(capture, request.limitBytes, () => kill('overflow'));
    request.stop.addEventListener('abort', stop);
    if (request.stop.aborted) stop();
    try {
      const ended = await Promise.race([exited, killing]);
      if (reason === null && ended) return ended;
      await killing;
      return { ended: reason ?? 'stopped' };
    } finally {
      cancelTimeout();
      endWatch();
      request.stop.removeEventListener('abort', stop);
    }
  }

  return { run, sweep: (owner, marker) => living.sweep(owner, marker), killNow: () => living.killNow() };
}

/** A program that ended before anybody looked may have written too much all the same; whatever it said then counts nothing (K-8). */
function judgeSize(ended: ProgramEnd, { limitBytes }: ProgramRequest, capture: Capture): { end: ProgramEnd; bytes: number } {
  const bytes = capture.size();
  if (bytes <= limitBytes) return { end: ended, bytes };
  capture.cut(limitBytes);
  const killed = ended.ended === 'timeout' || ended.ended === 'stopped';
  return { end: killed ? ended : { ended: 'overflow' }, bytes: limitBytes };
}
