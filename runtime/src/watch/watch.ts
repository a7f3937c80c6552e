/** The story of a watched assembly: look, say what is different, check it or run it, and wait for the next change. */
import type { Preparation } from '../plan/prepare.js';
import type { Clock } from '../ports/clock.js';
import { type Change, changesBetween, type Contents, leftoversIn, withoutInner } from './contents.js';
import { type FirstChanged, firstChanged, type Making } from './first-changed.js';
import type { Settling } from './settling.js';

/** A run under way. */
export interface StartedRun {
  /** Resolves when it has ended and everything of it is put away; never rejects. */
  readonly ended: Promise<void>;
  /** The index of the root step that began last; -1 before the first. */
  reached(): number;
  /** Ends it now, as a signal would. */
  stop(): void;
  /** Ends it as soon as a step of this index or a later one begins; null takes that back. */
  stopBefore(index: number | null): void;
}

export interface WatchPorts {
  readonly clock: Pick<Clock, 'sleep'>;
  /** What stands there now; looks at all of it. */
  look(): Promise<Contents>;
  prepare(): Promise<Preparation>;
  /** What else shapes a run, as last looked at. */
  beside(contents: Contents): ReadonlyMap<string, string>;
  readonly settling: Settling;
  /** Null: what changes is checked, and nothing runs. */
  readonly start: ((making: Making) => StartedRun) | null;
  readonly tell: WatchTelling;
  /** Aborts when the person, or the system, wants no more. */
  readonly stop: AbortSignal;
}

export interface WatchTelling {
  changed(changes: readonly Change[]): void;
  checked(preparation: Preparation): Promise<void>;
  /** What changed shapes nothing of the run. */
  untouched(): void;
  /** The run under way is ended now, or before that step. */
  stopping(first: FirstChanged, now: boolean): void;
  waiting(): void;
}

/** How long what an editor leaves behind for a moment may stay before it counts, in milliseconds. */
const LEFTOVER_MS = 1_000;

interface Running {
  readonly making: Making;
  readonly run: StartedRun;
}

/** Where the watching stands. */
interface Standing {
  contents: Contents;
  running: Running | null;
  /** What the last run was made from. */
  last: Making | null;
  /** What runs is to run once more when it is over. */
  again: boolean;
}

/** Resolves when `stop` aborts and nothing runs any more. At most one run is under way at any time. */
export async function watchAssembly(ports: WatchPorts): Promise<void> {
  const { tell, stop, settling } = ports;
  const stopped = new Promise<'stopped'>((resolve) => {
    if (stop.aborted) resolve('stopped');
    else stop.addEventListener('abort', () => resolve('stopped'), { once: true });
  });
  let changed = settling.settled();
  const at: Standing = { contents: await ports.look(), running: null, last: null, again: false };
  await check(at, ports);
  while (!stop.aborted) {
    const event = await Promise.race([stopped, changed.then(() => 'changed' as const), ...endOf(at.running)]);
    if (event === 'stopped') break;
    if (event === 'ended') {
      at.running = null;
      const { again } = at;
      at.again = false;
      if (again) await check(at, ports);
      else tell.waiting();
      continue;
    }
    changed = settling.settled();
    const before = at.contents;
    const now = await lookPastLeftovers(before, ports);
    const changes = changesBetween(before, now);
    if (changes.length === 0) continue;
    tell.changed(withoutInner(changes, now, before));
    at.contents = now;
    await check(at, ports);
  }
  await at.running?.run.ended;
}

/** Checks what stands there, and sees to it that it is what runs. */
async function check(at: Standing, { prepare, beside, start, stop, tell }: WatchPorts): Promise<void> {
  const prepared = await prepare();
  if (stop.aborted) return;
  if (start === null || !prepared.ok) {
    await tell.checked(prepared);
    if (at.running === null) tell.waiting();
    return;
  }
  const making = { prepared, beside: beside(at.contents) };
  if (at.running !== null) return judge(at, { running: at.running, making }, tell);
  if (at.last !== null && firstChanged(at.last, making) === null) {
    tell.untouched();
    return tell.waiting();
  }
  at.last = making;
  at.running = { making, run: start(making) };
}

/** A run goes on for as long as what it does is what it would do now. */
function judge(at: Standing, { running: { making: then, run }, making }: { running: Running; making: Making }, tell: WatchTelling): void {
  const first = firstChanged(then, making);
  at.again = first !== null;
  if (first === null) {
    run.stopBefore(null);
    return tell.untouched();
  }
  const begun = run.reached() >= first.index;
  tell.stopping(first, begun);
  if (begun) run.stop();
  else run.stopBefore(first.index);
}

function endOf(running: Running | null): readonly Promise<'ended'>[] {
  return running === null ? [] : [running.run.ended.then(() => 'ended' as const)];
}

/** An editor's own files come and go within a save; when they stay, they count: a run would be refused over them too. */
async function lookPastLeftovers(before: Contents, { look, clock, stop }: WatchPorts): Promise<Contents> {
  const known = new Set(leftoversIn(before));
  const now = await look();
  if (leftoversIn(now).every((path) => known.has(path))) return now;
  await clock.sleep(LEFTOVER_MS, stop);
  return look();
}
