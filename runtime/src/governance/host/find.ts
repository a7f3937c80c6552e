/** Which contract holds for another agent (V-12). */
import { dirname, join } from 'node:path';
import { GOVERNANCE_FILE } from '@gated-flow/assembly';
import { loadGovernance } from '@gated-flow/governance';
import type { GovernanceFault } from '@gated-flow/governance';
import { DiskError, type Disk } from '../../ports/disk.js';
import { CONTRACT_MAX_BYTES } from '../load.js';
import type { FoundContract } from './answer.js';

/** One file, named by its absolute path. Never rejects for what stands there. */
export async function readContractFile(path: string, disk: Pick<Disk, 'readHead' | 'real'>): Promise<FoundContract> {
  try {
    const real = (await disk.real(path)) ?? path;
    const loaded = await loadGovernance([{ path, bytes: await disk.readHead(real, CONTRACT_MAX_BYTES + 1) }]);
    return loaded.ok
      ? { ok: true, contract: loaded.contract, file: real }
      : { ok: false, message: loaded.faults.map(faultLine).join('\n') };
  } catch (error) {
    if (!(error instanceof DiskError)) throw error;
    return { ok: false, message: `The contract ${path} cannot be read (${error.code}).` };
  }
}

function faultLine({ file, line, column, message }: GovernanceFault): string {
  return `${file}:${line}:${column}: ${message}`;
}

/** The nearest one in the folder or above it. Where there is none nothing can be judged, so that is a fault too. */
export async function findContract(from: string, disk: Pick<Disk, 'look' | 'readHead' | 'real'>): Promise<FoundContract> {
  for (let folder = from; ; folder = dirname(folder)) {
    const path = join(folder, GOVERNANCE_FILE);
    if ((await disk.look(path)) !== null) return readContractFile(path, disk);
    if (folder === dirname(folder)) break;
  }
  return {
    ok: false,
    message: `There is no ${GOVERNANCE_FILE} in ${from} or above it. Name one with --governance FILE, or take the hook away.`,
  };
}
