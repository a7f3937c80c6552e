import { readAssembly } from '@gated-flow/assembly';
import { discoverDefault } from '../models/discovery.js';
import type { PreparePorts } from '../plan/prepare.js';
import type { Clock } from '../ports/clock.js';
import type { Disk } from '../ports/disk.js';
import type { Io } from './command.js';
import { standardInput } from './standard-input.js';

export interface Machine {
  readonly disk: Disk;
  readonly clock: Clock;
}

/** The real world of a preparation that may not use the network: no local model is asked for (M-2). */
export function preparePorts(io: Io, { disk, clock }: Machine): PreparePorts {
  return {
    env: io.env,
    cwd: io.cwd,
    disk,
    readConfig: io.readConfig,
    readAssembly,
    stdin: standardInput(io, clock),
    discover: () => Promise.resolve(discoverDefault(io.env)),
  };
}
