import { createClock } from '../../io/clock.js';
import { createDisk } from '../../io/disk.js';
import { openMachine, type OpenMachine } from '../../io/machine.js';
import { networkFetch } from '../../io/network.js';
import { processes } from '../../io/processes.js';
import type { World } from '../../run/call.js';
import type { Io } from '../command.js';
import { standardInput } from '../standard-input.js';

/** The real world of a run: until its machine is opened, a signal ends the process as it ends any other. */
export function openWorld(io: Io): World & { dispose(): void } {
  const clock = createClock();
  let machine: OpenMachine | null = null;
  return {
    cwd: io.cwd,
    stdin: standardInput(io, clock),
    readConfig: io.readConfig,
    fetch: networkFetch,
    calm: { disk: createDisk(), clock, env: io.env, processes },
    machine: () => (machine ??= openMachine(io.env)),
    dispose: () => machine?.dispose(),
  };
}
