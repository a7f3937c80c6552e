import type { Surfaces } from '@gated-flow/governance';
import { BUILT_IN, readProbe } from '../../governance/probe/kept.js';
import { probeBuiltIn } from '../../governance/probe/probe.js';
import { openMachine } from '../../io/machine.js';
import type { Io } from '../command.js';

/** What has been seen of our own loop by this version, else what is seen now: nothing is kept by asking (V-10, V-13). */
export async function surfacesHere(home: string | null, io: Io): Promise<Surfaces> {
  const machine = openMachine(io.env);
  try {
    const kept = home === null ? null : await readProbe(home, { row: BUILT_IN, version: machine.version }, machine.disk);
    return (kept ?? (await probeBuiltIn(machine))).moments;
  } finally {
    machine.dispose();
  }
}
