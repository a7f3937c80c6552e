/** Leave for one call: found, asked for, or not given (V-5). */
import { authorizationOf, callKey, checkAuthorization, grant, requestOf } from '@gated-flow/governance';
import type { Authorization, AuthorizationRequest, GovernanceContract, IssuedAuthorization, Verdict } from '@gated-flow/governance';
import type { FactOf } from '@gated-flow/record';
import type { AgentClock } from '../../agent/clock.js';
import type { Clock } from '../../ports/clock.js';
import type { Ids } from '../../ports/ids.js';
import type { Stop } from '../../ports/stop.js';
import type { Ending } from '../../stage/decide.js';
import { stopped } from '../../stage/ending.js';
import { type Answer, type Asking, waitForAnswer } from './answer.js';
import { askedOf } from './asked.js';
import type { AuthorizationStore } from './store.js';

/** A call that a rule wants approved. */
export interface HeldCall {
  readonly tool: string;
  readonly input: unknown;
  readonly verdict: Verdict;
}

export type Leave =
  /** And used up. */
  | { readonly leave: 'given'; readonly id: string }
  /** Somebody said no. */
  | { readonly leave: 'denied' }
  /** Nobody said anything, or the run is stopping. */
  | { readonly leave: 'ended'; readonly ending: Ending };

export type AuthorizationFields = Omit<FactOf<'authorization'>, 'event' | 'stage' | 'repeat' | 'retry'>;

/** What all calls of a tree of runs share. */
export interface LeaveWorld {
  readonly contract: GovernanceContract;
  /** The hash of the assembly. */
  readonly assembly: string;
  readonly store: AuthorizationStore;
  readonly issued: readonly IssuedAuthorization[];
  /** Calls that were held so far, by what makes them identical. */
  readonly held: Map<string, number>;
  /** Pairs of leave and call that were refused and recorded. */
  readonly refused: Set<string>;
  readonly asking: Asking;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly stop: Stop;
  /** Told where an answer is waited for and nobody is asked here. */
  notice(sentence: string): void;
}

/** Whose call it is. */
export interface LeaveDesk {
  /** The stage's path in the tree of runs: `02-draft`, `06-map/j01/01-say`. */
  readonly stage: string;
  /** Shared: calls that are answered together may wait at once (L-11). */
  readonly clock: Pick<AgentClock, 'pause' | 'start'>;
  /** Without secrets. */
  record(fields: AuthorizationFields): void;
  /** Nobody answered. */
  pending(id: string): void;
  /** Takes secrets out of what somebody is shown. */
  clean<T>(value: T): T;
}

/** Rejects only with a DiskError. The agent's clock stands still meanwhile, and the run's deadline does not. */
export async function leaveFor(call: HeldCall, desk: LeaveDesk, world: LeaveWorld): Promise<Leave> {
  const request = boundRequest(call, desk, world);
  desk.clock.pause();
  try {
    const found = await useFound(request, desk, world);
    return found === null ? await ask(request, desk, world) : { leave: 'given', id: found };
  } finally {
    desk.clock.start();
  }
}

function boundRequest({ tool, input, verdict }: HeldCall, { stage }: LeaveDesk, { assembly, held }: LeaveWorld): AuthorizationRequest {
  const call = { assembly, stage, tool, arguments: input };
  const key = callKey(call);
  const nth = (held.get(key) ?? 0) + 1;
  held.set(key, nth);
  return requestOf({ ...call, nth }, verdict);
}

/** The id of leave that was given before and is used up now; null when there is none. What does not fit is recorded, once. */
async function useFound(request: AuthorizationRequest, desk: LeaveDesk, world: LeaveWorld): Promise<string | null> {
  const { store, issued, clock } = world;
  const known = [...issued.map((entry) => authorizationOf(entry, request)), ...(await store.granted())];
  const meant = known.filter(({ stage, tool }) => stage === request.stage && tool === request.tool);
  const exact = meant.filter(({ event_hash }) => event_hash === request.event_hash);
  for (const given of exact) {
    const check = checkAuthorization(given, request, { nowMs: clock.now(), used: await store.isUsed(given) });
    if (!check.ok) refuse(given, request, { desk, world, why: check });
    else if (await spend(given, desk, world)) return given.id;
    else refuse(given, request, { desk, world, why: REUSED });
  }
  for (const given of meant.filter((one) => !exact.includes(one))) {
    const check = checkAuthorization(given, request, { nowMs: clock.now(), used: false });
    if (!check.ok) refuse(given, request, { desk, world, why: check });
  }
  return null;
}

const REUSED = { refusal: 'reused', message: 'The authorization was used before. It is for one call only.' } as const;

interface Refusing {
  readonly desk: LeaveDesk;
  readonly world: LeaveWorld;
  readonly why: { readonly refusal: string; readonly message: string };
}

function refuse({ id, by, via }: Authorization, { event_hash, target, scope }: AuthorizationRequest, { desk, world, why }: Refusing): void {
  const key = `${id} ${event_hash}`;
  if (world.refused.has(key)) return;
  world.refused.add(key);
  const state = why.refusal === 'expired' ? 'expired' : 'refused';
  desk.record({ id, state, event_hash, target, scope, by, via, reason: `${why.refusal}: ${why.message}` });
}

/** In one exclusive step: of two runs that try, one has it. */
async function spend(given: Authorization, desk: LeaveDesk, { store }: LeaveWorld): Promise<boolean> {
  if (!(await store.use(given))) return false;
  const { id, event_hash, target, scope, by, via, expires } = given;
  const about = { id, event_hash, target, scope, by, via };
  desk.record({ ...about, state: 'granted', expires });
  desk.record({ ...about, state: 'used' });
  return true;
}

async function ask(request: AuthorizationRequest, desk: LeaveDesk, world: LeaveWorld): Promise<Leave> {
  const id = world.ids.hex(8);
  const { event_hash, target, scope, risks, recovery, rules, tool, nth } = request;
  const about = { id, event_hash, target, scope };
  desk.record({ ...about, state: 'requested', tool, nth, risks, recovery, rule: rules.join(', ') });
  const asked = askedOf(request, { id, run: world.store.run, at: new Date(world.clock.now()), clean: desk.clean });
  await world.store.keepRequest({ ...asked, expires_seconds: world.contract.expiresSeconds });
  if (world.asking.approve === null && world.asking.waitMs > 0)
    world.notice(`${request.stage} waits for leave for a call of ${tool}: flow approve ${world.store.run} ${id}`);
  const answer = await waitForAnswer(asked, world);
  switch (answer.answer) {
    case 'granted':
      return granted(request, { id, answer, desk, world });
    case 'denied':
      await world.store.settle(id);
      desk.record({ ...about, state: 'denied', by: answer.by, via: answer.via });
      return { leave: 'denied' };
    case 'stopped': {
      const reason = world.stop.reason();
      if (reason === null) throw new Error('stopped without a reason');
      return { leave: 'ended', ending: stopped(reason) };
    }
    case 'nobody':
      desk.pending(id);
      return { leave: 'ended', ending: { cause: 'rejected', exit: 1, reason: unanswered(request, id) } };
  }
}

interface Granted {
  readonly id: string;
  readonly answer: Answer & { readonly answer: 'granted' };
  readonly desk: LeaveDesk;
  readonly world: LeaveWorld;
}

async function granted(request: AuthorizationRequest, { id, answer, desk, world }: Granted): Promise<Leave> {
  const { clock, contract, store } = world;
  const expires = new Date(clock.now() + contract.expiresSeconds * 1_000).toISOString();
  const given = answer.authorization ?? grant(request, { id, expires, by: answer.by, via: answer.via });
  const check = checkAuthorization(given, request, { nowMs: clock.now(), used: await store.isUsed(given) });
  if (check.ok && (await spend(given, desk, world))) {
    await store.settle(id);
    return { leave: 'given', id };
  }
  refuse(given, request, { desk, world, why: check.ok ? REUSED : check });
  return { leave: 'denied' };
}

function unanswered({ tool, target, rules }: AuthorizationRequest, id: string): string {
  return `A call of ${tool} on ${target} needs leave (${rules.join(', ')}), and nobody gave it. The request is ${id}.`;
}
