import { join } from 'node:path';
import type { Refusal } from '@gated-flow/assembly';
import type { Claims } from '../ports/claims.js';
import type { Disk } from '../ports/disk.js';

export interface HomePorts {
  readonly claims: Claims;
  readonly disk: Pick<Disk, 'makeFolder'>;
}

/** Makes the home and its `runs` folder, 0700, or says why the place cannot be one (O-6). Rejects with a `DiskError`. */
export async function openHome(home: string, ports: HomePorts): Promise<Refusal | null> {
  const found = await ports.claims.owner(home);
  if (found === 'absent') await ports.disk.makeFolder(home);
  const refusal = homeRefusal(home, found === 'absent' ? await ports.claims.owner(home) : found);
  if (refusal === null) await ports.disk.makeFolder(join(home, 'runs'));
  return refusal;
}

/** Why what stands at the path cannot be a home; null when it can, also when nothing stands there yet. */
function homeRefusal(home: string, found: Awaited<ReturnType<Claims['owner']>>): Refusal | null {
  if (found === 'absent' || found === 'own-folder') return null;
  const what = { link: 'is a symbolic link', 'no-folder': 'is not a folder', 'foreign-folder': 'belongs to another user' }[found];
  return {
    code: 'value-invalid',
    path: 'command',
    message: `The home ${home} ${what}. Records are kept only in a real folder of your own. Name another one with --home or FLOW_HOME.`,
  };
}
