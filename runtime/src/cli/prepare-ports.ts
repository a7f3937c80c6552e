import { readAssembly } from '@gated-flow/assembly';
import { discoverDefault, type Discovery } from '../models/discovery.js';
import type { PreparePorts } from '../plan/prepare.js';
import type { Clock } from '../ports/clock.js';
import type { Disk } from '../ports/disk.js';
import type { Io } from './command.js';
import { standardInput } from './standard-input.js';

export interface Machine {
  readonly disk: Disk;
  readonly clock: Clock;
  /** Asks the machine for a local model when no key is set; absent for commands that may not use the network (M-2). */
  readonly probe?: () => Promise<Discovery | null>;
}

/** The real world of the preparation. */
export function preparePorts(io: Io, { disk, clock, probe }: Machine): PreparePorts {
  return {
    env: io.env,
    cwd: io.cwd,
    disk,
    readAssembly,
    stdin: standardInput(io, clock),
    discover: async () => discoverDefault(io.env) ?? (await probe?.()) ?? null,
  };
}
