import { configValues, judgeConfig, type ConfigValue } from '../../doctor/config.js';
import type { Finding } from '../../doctor/finding.js';
import { judgeHere } from '../../doctor/folder.js';
import { judgeHome } from '../../doctor/home.js';
import { judgeMachine } from '../../doctor/machine.js';
import { judgeModels } from '../../doctor/models.js';
import { judgeNetwork } from '../../doctor/network.js';
import { judgeProcess } from '../../doctor/process.js';
import { judgeSurroundings } from '../../doctor/surroundings.js';
import type { Facts } from './gather.js';

/** `flow doctor --json` (I-11). */
export interface DoctorDocument {
  readonly kind: 'flow.doctor';
  readonly version: 1;
  /** Absolute; null when nothing says where the home is. */
  readonly home: string | null;
  /** Whether nothing stands in the way of a run: there is no `problem`. */
  readonly ready: boolean;
  readonly findings: readonly Finding[];
  /** Every value of config.yaml with where it comes from; empty when it cannot be read. */
  readonly config: readonly ConfigValue[];
}

export function doctorDocument({ home, machine, process, here, place, config, models, network, surroundings }: Facts): DoctorDocument {
  const findings = [
    ...judgeMachine(machine),
    ...judgeProcess(process),
    ...judgeHere(here),
    ...judgeHome(place),
    ...judgeConfig(config),
    ...judgeModels(models),
    ...judgeNetwork(network),
    ...judgeSurroundings(surroundings),
  ];
  const ready = findings.every(({ verdict }) => verdict !== 'problem');
  return { kind: 'flow.doctor', version: 1, home, ready, findings, config: config.ok ? configValues(config.config) : [] };
}
