/** What was seen of a host's denials, kept in the home by row and version (V-10). */
import { join } from 'node:path';
import { STAGE_NAMES } from '@gated-flow/governance';
import type { Honoured, StageName } from '@gated-flow/governance';
import { isObject } from '../../models/json.js';
import { DiskError, type Disk } from '../../ports/disk.js';

/** The row of our own agent's loop: whatever model works in it, the loop is the same. */
export const BUILT_IN = 'built-in';

export const SURFACES = ['bash', 'read', 'write', 'edit', 'memory', 'cite', 'final claim', 'receipt'] as const;
export type Surface = (typeof SURFACES)[number];

export interface Probe {
  readonly row: string;
  readonly version: string;
  /** RFC 3339. */
  readonly at: string;
  readonly surfaces: Readonly<Record<Surface, Honoured>>;
  readonly moments: Readonly<Partial<Record<StageName, Honoured>>>;
}

interface Which {
  readonly row: string;
  readonly version: string;
}

const MAX_BYTES = 64 * 1024;

/** What stands there and is no such document counts as nothing. */
export async function readProbe(home: string, which: Which, disk: Pick<Disk, 'readHead'>): Promise<Probe | null> {
  try {
    const value: unknown = JSON.parse(Buffer.from(await disk.readHead(placeOf(home, which), MAX_BYTES)).toString('utf8'));
    if (!isObject(value) || value['row'] !== which.row || value['runtime'] !== which.version || typeof value['at'] !== 'string')
      return null;
    const surfaces: unknown = value['surfaces'];
    const seen = (name: Surface): Honoured => (isObject(surfaces) && surfaces[name] === 'observed' ? 'observed' : 'unverified');
    return probeOf({ ...which, at: value['at'], seen });
  } catch (error) {
    if (error instanceof DiskError || error instanceof SyntaxError) return null;
    throw error;
  }
}

/** Rejects with a DiskError. */
export async function keepProbe(home: string, probe: Probe, disk: Pick<Disk, 'write'>): Promise<void> {
  await disk.write(placeOf(home, probe), `${JSON.stringify(probeDocument(probe), null, 2)}\n`, { durable: true });
}

function placeOf(home: string, { row, version }: Which): string {
  return join(home, 'governance', 'probes', `${encodeURIComponent(row)}-${encodeURIComponent(version)}.json`);
}

const MOMENT: Readonly<Record<Surface, StageName>> = {
  bash: 'pre_tool',
  cite: 'external_research',
  read: 'schema_aware_file_tool',
  write: 'schema_aware_file_tool',
  edit: 'schema_aware_file_tool',
  memory: 'memory_access',
  'final claim': 'final_claim',
  receipt: 'prompt_stage',
};

/** A moment is seen when each of its surfaces is. */
export function probeOf({ row, version, at, seen }: Which & { readonly at: string; seen(surface: Surface): Honoured }): Probe {
  const surfaces = Object.fromEntries(SURFACES.map((name) => [name, seen(name)]));
  const moments = Object.fromEntries(
    STAGE_NAMES.map((stage) => [
      stage,
      SURFACES.filter((name) => MOMENT[name] === stage).every((name) => surfaces[name] === 'observed') ? 'observed' : 'unverified',
    ]),
  );
  return { row, version, at, surfaces: { ...UNSEEN, ...surfaces }, moments };
}

const UNSEEN: Probe['surfaces'] = {
  ...{ bash: 'unverified', read: 'unverified', write: 'unverified', edit: 'unverified' },
  ...{ memory: 'unverified', cite: 'unverified', 'final claim': 'unverified', receipt: 'unverified' },
};

/** The denial semantics of a host, in the seed's five parts. */
export function probeDocument({ row, version, at, surfaces, moments }: Probe): object {
  return {
    ...{ kind: 'flow.governance-probe', version: 1, row, runtime: version, at },
    denial_payload_schema: DENIAL,
    // What a stage that ends by a denial exits with; a denied call alone ends nothing.
    blocked_exit_code: 1,
    host_honors_denial: Object.values(surfaces).every((seen) => seen === 'observed') ? 'observed' : 'unverified',
    bypass_surfaces: ['programs that a command starts', 'hooks and gates of the assembly'],
    last_blocked_action_test: at,
    surfaces,
    moments,
  };
}

const DENIAL = {
  type: 'object',
  properties: { decision: { const: 'deny' }, reason: { type: 'string' } },
  required: ['decision', 'reason'],
  additionalProperties: false,
};
