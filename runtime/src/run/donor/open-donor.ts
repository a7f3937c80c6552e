import { createHash } from 'node:crypto';
import { extname, join } from 'node:path';
import { flowsWithin, parseAssembly, readSnapshot, type Assembly, type Flow } from '@gated-flow/assembly';
import { ASSEMBLY_COPY, RECORD, RECORD_SUM, verifyRun, type Difference, type Reading, type RunView } from '@gated-flow/record';
import { REQUEST_MAX_BYTES } from '../../plan/request/file.js';
import type { Request } from '../../plan/plan.js';
import type { Disk } from '../../ports/disk.js';
import type { Processes } from '../../ports/processes.js';
import { findRun, type OpenRun } from '../../record/find-run.js';
import { readRun, runFile } from '../../record/read-run.js';
import { isAlive } from '../../record/run-state.js';
import { type NoDonor, type OpenedDonor, refusedDonor } from './donor.js';

export interface DonorPorts {
  /** Absolute; null when nothing says where the home is. */
  readonly home: string | null;
  /** Absolute. */
  readonly cwd: string;
  readonly disk: Disk;
  readonly processes: Pick<Processes, 'alive'>;
}

/**
 * Finds a run, proves it, and reads what another run needs of it. A dead one may lack its end and its seals, and its last line may be
 * torn; whatever it says must be true all the same. Rejects with the system's error when its folder cannot be read.
 */
export async function openDonor(word: string, ports: DonorPorts): Promise<OpenedDonor> {
  const found = await findRun(word, ports);
  if (found.found === 'none') return refusedDonor(found.message, 'flow list');
  if (found.found === 'many') return refusedDonor(found.message);
  const { run } = found;
  if (await isAlive(run.folder, ports)) {
    return refusedDonor(`The run ${run.name} is still going on. Wait for its end, or stop it first.`, `flow events ${run.word} --follow`);
  }
  const { view, reading } = await readRun(run.folder);
  if (view === null) return unreadable(run, reading);
  if (view.request.from === 'call') return refusedDonor(`${run.folder} is a run inside a run. Name the run that called it.`);
  const differences = await differencesOf(run, { view, reading }, ports.disk);
  if (differences.length > 0) return damaged(run, differences);
  return readDonor(run, view, ports.disk);
}

/** What the donor says of itself is not so. */
export function damaged({ name, word }: Pick<OpenRun, 'name' | 'word'>, differences: readonly Difference[]): NoDonor {
  return { ok: false, damaged: { run: name, word, differences } };
}

function unreadable(run: OpenRun, { faults, newer }: Reading): NoDonor {
  if (newer)
    return refusedDonor(
      `The record of ${run.name} ${faults[0]?.message ?? ''}. Go on with it by the version that wrote it, or a later one.`,
    );
  if (faults.length === 0) return refusedDonor(`The run ${run.name} ended before the first line of its record was written.`);
  return damaged(
    run,
    faults.map(({ line, rule, message }) => ({ path: RECORD, line, rule, message })),
  );
}

/** A run that died before its first stage may not even have its request and its copy of the assembly whole; nothing else is taken from it. */
async function differencesOf(
  run: OpenRun,
  { view, reading }: { view: RunView; reading: Reading },
  disk: Disk,
): Promise<readonly Difference[]> {
  const sealed = view.ending?.manifest !== undefined;
  const cutOff = reading.state === 'incomplete' || !sealed || (await disk.look(join(run.folder, RECORD_SUM))) === null;
  const { differences } = await verifyRun(run.folder, { cutOff });
  if (view.stages.length > 0 || sealed) return differences;
  return differences.filter(({ path }) => path !== ASSEMBLY_COPY && path !== view.request.path);
}

async function readDonor(run: OpenRun, view: RunView, disk: Disk): Promise<OpenedDonor> {
  const request = await readRequest(run, view, disk);
  if (request === null) return refusedDonor(`The run ${run.name} died before it had kept its request. Start anew with flow run.`);
  const assembly = await readCopy(run.folder, view);
  if (typeof assembly === 'string') {
    return view.stages.length > 0
      ? refusedDonor(`The copy of the assembly in ${run.folder} cannot be read by this version: ${assembly}`)
      : refusedDonor(`The run ${run.name} died before its first stage began, with nothing to take over. Start anew with flow run.`);
  }
  const flow = flowNamed(assembly, view.flow);
  if (flow === null && view.flow !== '') {
    return damaged(run, [
      { path: RECORD, line: 1, rule: 'R-3', message: `says flow ${view.flow}, which the copy of the assembly does not have` },
    ]);
  }
  const about = { name: view.run, folder: run.folder, word: run.word };
  return { ok: true, donor: { ...about, view, request, assembly, flow } };
}

async function readRequest({ folder }: OpenRun, { request }: RunView, disk: Disk): Promise<Request | null> {
  const file = await runFile(folder, request.path, disk);
  if (file === null) return null;
  const bytes = await disk.readHead(file, REQUEST_MAX_BYTES);
  if (createHash('sha256').update(bytes).digest('hex') !== request.sha256 || request.from === 'call') return null;
  return { bytes, extension: extname(request.path), from: request.from };
}

/** The assembly as it was called then, since a lone flow or stage is called after its folder; or the first thing that keeps the copy from being one. */
async function readCopy(folder: string, { assembly: root }: RunView): Promise<Assembly | string> {
  const read = readSnapshot(join(folder, ASSEMBLY_COPY));
  const parsed = read.ok ? await parseAssembly({ ...read.snapshot, root }) : read;
  return parsed.ok ? parsed.assembly : (parsed.refusals[0]?.message ?? 'it is no assembly.');
}

function flowNamed(assembly: Assembly, name: string): Flow | null {
  if (name === '') return null;
  return assembly.flows.find((flow) => flow.name === name) ?? flowsWithin(assembly).find(({ flow }) => flow.name === name)?.flow ?? null;
}
