/** Somebody in another shell gives leave, or does not (V-5). */
import { join } from 'node:path';
import type { Authorization } from '@gated-flow/governance';
import type { Claims } from '../../ports/claims.js';
import type { Disk } from '../../ports/disk.js';
import type { KeptRequest } from './asked.js';
import { grantText, readGrant } from './documents.js';
import { openRequests, openStore, placeOf, readHeadOf } from './store.js';

export interface DecidePorts {
  /** Absolute. */
  readonly home: string;
  readonly disk: Pick<Disk, 'look' | 'list' | 'readHead' | 'write' | 'remove' | 'makeFolder'>;
  readonly claims: Pick<Claims, 'file'>;
  /** Milliseconds since 1970. */
  readonly now: number;
}

export interface Deciding {
  readonly verdict: 'granted' | 'denied';
  readonly by: string;
}

export type Decided =
  | { readonly is: 'granted'; readonly authorization: Authorization }
  | { readonly is: 'denied' }
  /** It was answered before. */
  | { readonly is: 'already'; readonly what: 'used' | 'denied' | 'granted'; readonly expires?: string };

/** The requests of a run that wait for an answer: neither denied, nor granted and still to be used, nor used up. */
export async function waitingRequests(run: string, ports: DecidePorts): Promise<readonly KeptRequest[]> {
  const open: KeptRequest[] = [];
  for (const request of await openRequests(ports.home, run, ports.disk)) {
    if (isOpen(await answerTo(request, ports))) open.push(request);
  }
  return open;
}

/** The request of an id, or of the beginning of one; null when there is none, or more than one. */
export async function requestNamed(run: string, id: string, { home, disk }: DecidePorts): Promise<KeptRequest | null> {
  const all = await openRequests(home, run, disk);
  const [first, second] = all.filter((request) => request.id.startsWith(id));
  return all.find((request) => request.id === id) ?? (second === undefined ? (first ?? null) : null);
}

/** Decides a request, once. Rejects with a DiskError. */
export async function decideRequest(request: KeptRequest, { verdict, by }: Deciding, ports: DecidePorts): Promise<Decided> {
  const { home, disk, claims, now } = ports;
  const before = await answerTo(request, ports);
  // Leave that nobody has used may still be taken back.
  if (!isOpen(before) && !(before.what === 'granted' && verdict === 'denied')) return { is: 'already', ...before };
  const authorization = authorizationFor(request, { by, expires: new Date(now + request.expires_seconds * 1_000).toISOString() });
  const text = grantText({ run: request.run, authorization });
  const shelf = join(home, 'authorizations', verdict);
  await disk.makeFolder(shelf);
  const place = placeOf(home, verdict, request);
  // Only what was seen to hold no more makes room: the same command in another shell may have answered since.
  if (before === 'lapsed' && verdict === 'granted') await disk.remove(place);
  if (!(await claims.file(place, text))) return { is: 'already', what: verdict };
  return verdict === 'denied' ? { is: 'denied' } : { is: 'granted', authorization };
}

interface Answered {
  readonly what: 'used' | 'denied' | 'granted';
  readonly expires?: string;
}

/** `lapsed`: leave that nobody used and that holds no more, or cannot be read. */
type AnswerTo = Answered | 'none' | 'lapsed';

function isOpen(answer: AnswerTo): answer is 'none' | 'lapsed' {
  return answer === 'none' || answer === 'lapsed';
}

async function answerTo(request: KeptRequest, ports: DecidePorts): Promise<AnswerTo> {
  const { home, disk, now } = ports;
  if ((await disk.look(placeOf(home, 'denied', request))) !== null) return { what: 'denied' };
  const store = openStore({ home, run: request.run, lineage: [] }, ports);
  if (await store.isUsed(authorizationFor(request, { by: '', expires: '' }))) return { what: 'used' };
  const bytes = await readHeadOf(placeOf(home, 'granted', request), disk);
  if (bytes === null) return 'none';
  const kept = readGrant(bytes);
  if (kept === null || Date.parse(kept.authorization.expires) <= now) return 'lapsed';
  return { what: 'granted', expires: kept.authorization.expires };
}

function authorizationFor(request: KeptRequest, { by, expires }: { readonly by: string; readonly expires: string }): Authorization {
  const { id, event_hash, assembly, stage, tool, arguments_sha256, nth, target, scope, risks, recovery } = request;
  return { id, event_hash, assembly, stage, tool, arguments_sha256, nth, target, scope, risks, recovery, expires, by, via: 'command' };
}
