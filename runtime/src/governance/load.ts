/** The governance contract of a run: the assembly's, and what `--governance FILE` adds to it (V-1). */
import { resolve } from 'node:path';
import type { Assembly, Refusal } from '@gated-flow/assembly';
import type { GovernanceContract, GovernanceFault, GovernanceSource } from '@gated-flow/governance';
import type { Warning } from '../plan/plan.js';
import type { PreparePorts } from '../plan/prepare.js';
import { commandInvalid, found, refused, type Resolved } from '../plan/refusal.js';
import { DiskError } from '../ports/disk.js';

/** The contract over everything that may run. */
export interface RunGovernance {
  /** All files joined: every file adds its rules, and the strictest decision wins. */
  readonly contract: GovernanceContract;
  /** What agents read of it beforehand; null when there is nothing to say (V-5). */
  readonly permissions: string | null;
  /** The file of `--governance` as it was read, by its absolute path; null without one. */
  readonly added: GovernanceSource | null;
}

export interface Governing {
  readonly assembly: Pick<Assembly, 'governance' | 'snapshot'>;
  /** What the reading of the assembly has refused already: once is enough. */
  readonly faults: readonly Refusal[];
  /** `--governance FILE` as typed. */
  readonly typed: string | undefined;
}

/**
 * Null where no contract governs: then nothing of it is loaded. Every fault of every file is a `governance-invalid` with its line
 * and column (V-1). Never throws for anything that was typed or found.
 */
export async function loadRunGovernance(governing: Governing, ports: GovernancePorts): Promise<Resolved<RunGovernance | null>> {
  const own = ownSource(governing);
  const added = await addedSource(governing.typed, ports);
  if (!added.ok) return added;
  const [first, ...others] = [own, added.value].filter((source) => source !== null);
  if (!first) return found(null);
  const { loadGovernance, permissionsText } = await import('@gated-flow/governance');
  const loaded = await loadGovernance([first, ...others]);
  if (!loaded.ok) return refused(...loaded.faults.map(refusalOf));
  const { contract } = loaded;
  return found({ contract, permissions: permissionsText(contract), added: added.value });
}

export type GovernancePorts = Pick<PreparePorts, 'cwd' | 'disk'>;

function ownSource({ assembly: { governance: path, snapshot }, faults }: Governing): GovernanceSource | null {
  if (path === undefined || faults.some((fault) => fault.code === 'governance-invalid' && fault.path === path)) return null;
  const entry = snapshot.entries.get(path);
  return entry?.kind === 'file' && entry.bytes !== undefined ? { path, bytes: entry.bytes } : null;
}

/** Of a contract that lies outside the assembly. One byte more is read, so that a longer one is refused by its reader. */
export const CONTRACT_MAX_BYTES = 1024 * 1024;

async function addedSource(typed: string | undefined, { cwd, disk }: GovernancePorts): Promise<Resolved<GovernanceSource | null>> {
  if (typed === undefined) return found(null);
  const path = resolve(cwd, typed);
  try {
    if (typed !== '' && (await disk.look(path))?.kind === 'file') {
      return found({ path, bytes: await disk.readHead(path, CONTRACT_MAX_BYTES + 1) });
    }
    return refused(commandInvalid('governance-invalid', `--governance: there is no file ${typed === '' ? '""' : typed}.`));
  } catch (error) {
    if (!(error instanceof DiskError)) throw error;
    return refused(commandInvalid('governance-invalid', `--governance: ${typed} cannot be read (${error.code}).`));
  }
}

function refusalOf({ file, line, column, message }: GovernanceFault): Refusal {
  return { code: 'governance-invalid', path: file, message: `Line ${line}, column ${column}: ${message}` };
}

/** What of the files is kept and enforced by nobody here: it must not look like something that holds (V-1). */
export function governanceWarnings(governance: RunGovernance | null): readonly Warning[] {
  if (governance === null) return [];
  const { files, notEnforced } = governance.contract;
  return files.flatMap(({ path }) => {
    const sections = notEnforced.filter(({ file }) => file === path).map(({ section }) => section);
    if (sections.length === 0) return [];
    return [{ path, message: `Not enforced here, and kept with the run: ${sections.join(', ')}.` }];
  });
}
