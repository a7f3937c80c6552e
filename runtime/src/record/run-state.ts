import type { Cause } from '@gated-flow/record';
import type { Disk } from '../ports/disk.js';
import type { Processes } from '../ports/processes.js';
import { parseLock } from './marks.js';

/** `running` and `crashed` are told apart by the lock beside the folder alone. */
export type RunState = 'running' | 'crashed' | Cause;

export interface LockPorts {
  readonly disk: Pick<Disk, 'look' | 'readHead'>;
  readonly processes: Pick<Processes, 'alive'>;
}

const LOCK_MAX_BYTES = 4096;

/** Whether the process that holds the run's lock lives. A folder without a lock, such as a copied one, is not alive. */
export async function isAlive(folder: string, { disk, processes }: LockPorts): Promise<boolean> {
  const lock = `${folder}.lock`;
  if ((await disk.look(lock))?.kind !== 'file') return false;
  const holder = parseLock(Buffer.from(await disk.readHead(lock, LOCK_MAX_BYTES)).toString());
  return holder !== null && processes.alive(holder);
}

/** `cause` is what `run_end` says; null when there is none. */
export async function runState(folder: string, cause: Cause | null, ports: LockPorts): Promise<RunState> {
  return cause ?? ((await isAlive(folder, ports)) ? 'running' : 'crashed');
}
