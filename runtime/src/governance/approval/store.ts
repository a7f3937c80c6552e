/** The home's `authorizations/`: what was asked, granted, denied and used up (V-5). All methods reject only with a DiskError. */
import { join } from 'node:path';
import type { Authorization } from '@gated-flow/governance';
import type { Claims } from '../../ports/claims.js';
import type { Disk } from '../../ports/disk.js';
import type { Answer } from './answer.js';
import type { KeptRequest } from './asked.js';
import { grantText, readGrant, readRequest, requestText } from './documents.js';

export interface StorePorts {
  readonly disk: Pick<Disk, 'look' | 'list' | 'readHead' | 'write' | 'remove' | 'makeFolder'>;
  readonly claims: Pick<Claims, 'file'>;
}

/** What one run, and those it goes on from, may use of it. */
export interface AuthorizationStore {
  readonly run: string;
  keepRequest(request: KeptRequest): Promise<void>;
  /** The request is answered: nobody is to answer it again. */
  settle(id: string): Promise<void>;
  /** What another shell answered to a request of this run. */
  answered(id: string): Promise<Extract<Answer, { answer: 'granted' | 'denied' }> | null>;
  /** Leave that was granted to requests of the runs. */
  granted(): Promise<readonly Authorization[]>;
  isUsed(given: Authorization): Promise<boolean>;
  /** Uses it up. False when somebody did before: exactly one process can. */
  use(given: Authorization): Promise<boolean>;
}

export interface StorePlace {
  /** Absolute. */
  readonly home: string;
  readonly run: string;
  /** The runs that this one goes on from. */
  readonly lineage: readonly string[];
}

export function openStore({ home, run, lineage }: StorePlace, ports: StorePorts): AuthorizationStore {
  const { disk, claims } = ports;
  const folder = join(home, 'authorizations');
  const usedFile = ({ id, event_hash }: Authorization): string => join(folder, 'used', `${event_hash.slice(0, 32)}.${id}`);
  return {
    run,
    keepRequest: (request) => disk.write(placeOf(home, 'requested', request), requestText(request)),
    settle: (id) => disk.remove(placeOf(home, 'requested', { run, id })),
    async answered(id) {
      const refused = await readHeadOf(placeOf(home, 'denied', { run, id }), disk);
      const no = refused === null ? null : readGrant(refused);
      if (no !== null) return { answer: 'denied', by: no.authorization.by, via: 'command' };
      const given = await readHeadOf(placeOf(home, 'granted', { run, id }), disk);
      const yes = given === null ? null : readGrant(given);
      if (yes === null) return null;
      return { answer: 'granted', by: yes.authorization.by, via: 'command', authorization: yes.authorization };
    },
    async granted() {
      const runs = new Set([run, ...lineage]);
      const found: Authorization[] = [];
      for (const name of await namesIn(join(folder, 'granted'), disk)) {
        const bytes = runs.has(name.split('.')[0] ?? '') ? await readHeadOf(join(folder, 'granted', name), disk) : null;
        const kept = bytes === null ? null : readGrant(bytes);
        if (kept === null || !runs.has(kept.run)) continue;
        const isDenied = (await disk.look(placeOf(home, 'denied', { run: kept.run, id: kept.authorization.id }))) !== null;
        if (!isDenied) found.push(kept.authorization);
      }
      return found;
    },
    isUsed: async (given) => (await disk.look(usedFile(given))) !== null,
    async use(given) {
      await disk.makeFolder(join(folder, 'used'));
      return claims.file(usedFile(given), grantText({ run, authorization: given }));
    },
  };
}

export type Shelf = 'requested' | 'granted' | 'denied';

/** Where the request, the grant or the denial of an id stands. */
export function placeOf(home: string, shelf: Shelf, { run, id }: { readonly run: string; readonly id: string }): string {
  return join(home, 'authorizations', shelf, `${run}.${id}.json`);
}

/** The requests of a run that nobody has answered, oldest first. */
export async function openRequests(home: string, run: string, disk: StorePorts['disk']): Promise<readonly KeptRequest[]> {
  const folder = join(home, 'authorizations', 'requested');
  const found: KeptRequest[] = [];
  for (const name of await namesIn(folder, disk)) {
    const bytes = name.startsWith(`${run}.`) ? await readHeadOf(join(folder, name), disk) : null;
    const request = bytes === null ? null : readRequest(bytes);
    if (request !== null && request.run === run) found.push(request);
  }
  return found.sort((a, b) => (a.at < b.at ? -1 : 1));
}

const MAX_BYTES = 4 * 1024 * 1024;

export async function readHeadOf(path: string, disk: Pick<Disk, 'look' | 'readHead'>): Promise<Uint8Array | null> {
  return (await disk.look(path))?.kind === 'file' ? disk.readHead(path, MAX_BYTES) : null;
}

async function namesIn(folder: string, disk: Pick<Disk, 'look' | 'list'>): Promise<readonly string[]> {
  return (await disk.look(folder))?.kind === 'folder' ? disk.list(folder) : [];
}
