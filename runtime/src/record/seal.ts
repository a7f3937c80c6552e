import type { KeyObject } from 'node:crypto';
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import type { FactOf, HashedFile } from '@gated-flow/record';
import { ENVELOPE, MANIFEST, RECORD, RECORD_SUM, UNLISTED, formatManifest, signStatement, statementOf } from '@gated-flow/record';
import type { Disk } from '../ports/disk.js';
import { DiskError } from '../ports/disk.js';
import type { HashTree } from '../ports/hash-tree.js';
import type { RunRecorder } from './open-record.js';

export interface SealRequest {
  /** The run's folder. Everything but the record is written and closed. */
  readonly folder: string;
  readonly recorder: RunRecorder;
  readonly ending: Ending;
  /** What the events vouched for, path in the run's folder → SHA-256, with the assembly copy. */
  readonly named: ReadonlyMap<string, string>;
  /** The sealed outputs: the subjects of a signature. */
  readonly outputs: readonly HashedFile[];
  /** An Ed25519 private key; absent: the record is not signed. */
  readonly key?: KeyObject;
}

export type Ending = Omit<FactOf<'run_end'>, 'event' | 'manifest'>;

export interface SealPorts {
  readonly disk: Pick<Disk, 'write'>;
  readonly hashTree: HashTree;
}

/** What the record ended with, which is `fault` when the seal failed before `run_end` was written; `error` when the seals are not whole. */
export interface Sealed {
  readonly ending: Ending;
  readonly error?: DiskError;
}

/**
 * Ends the record and seals it: manifest, `run_end` with its hash, then the signature when asked for, and `record.sha256` over
 * both. Never rejects for a disk: a manifest that cannot be written turns the ending into a `fault` without one.
 */
export async function sealRun(request: SealRequest, ports: SealPorts): Promise<Sealed> {
  const manifest = await attempt(() => writeManifest(request, ports));
  if (manifest instanceof DiskError) return endWithFault(request, manifest);
  const changed = await attempt(async () => !(await request.recorder.intact()));
  if (changed instanceof DiskError) return endWithFault(request, changed);
  const ending = changed ? faultEnding('The record was changed while the run was writing it.') : endingOver(request, manifest.files);
  const error = await attempt(() => closeRecord(request, { ...ending, manifest: manifest.sha256 }, ports));
  return error instanceof DiskError ? { ending, error } : { ending };
}

interface Manifest {
  readonly files: readonly HashedFile[];
  readonly sha256: string;
}

async function writeManifest(request: SealRequest, ports: SealPorts): Promise<Manifest> {
  const files = await ports.hashTree(request.folder, UNLISTED);
  const text = formatManifest(files);
  await ports.disk.write(join(request.folder, MANIFEST), text, { durable: true });
  return { files, sha256: createHash('sha256').update(text).digest('hex') };
}

/** A run does not succeed over evidence that is not what its record says: nobody could verify it. */
function endingOver({ ending, named }: SealRequest, files: readonly HashedFile[]): Ending {
  if (ending.cause !== 'success') return ending;
  const found = new Map(files.map(({ path, sha256 }) => [path, sha256]));
  const changed = [...named].find(([path, sha256]) => found.get(path) !== sha256);
  return changed ? faultEnding(`${changed[0]} in the run's folder was changed or removed while the run was going on.`) : ending;
}

async function closeRecord(request: SealRequest, ending: Ending & { manifest: string }, ports: SealPorts): Promise<void> {
  const { folder, recorder, outputs, key } = request;
  recorder.append({ event: 'run_end', ...ending });
  await recorder.sync();
  const record = { path: RECORD, sha256: recorder.digest().sha256 };
  const sealed = [record];
  if (key !== undefined) {
    const text = `${JSON.stringify(signStatement(statementOf(record.sha256, outputs), key))}\n`;
    await ports.disk.write(join(folder, ENVELOPE), text, { durable: true });
    sealed.push({ path: ENVELOPE, sha256: createHash('sha256').update(text).digest('hex') });
  }
  await ports.disk.write(join(folder, RECORD_SUM), formatManifest(sealed), { durable: true });
}

async function endWithFault(request: SealRequest, error: DiskError): Promise<Sealed> {
  const ending = unsealed(request.ending, `The run could not be sealed: ${error.message}`);
  await attempt(async () => {
    request.recorder.append({ event: 'run_end', ...ending });
    await request.recorder.sync();
  });
  return { ending, error };
}

/** What ended as impossible, or by a signal, has ended so already; only the reason grows. */
function unsealed(ending: Ending, why: string): Ending {
  if (ending.exit < 2) return faultEnding(why);
  return { ...ending, reason: ending.reason === undefined ? why : `${ending.reason} ${why}` };
}

function faultEnding(reason: string): Ending {
  return { exit: 2, cause: 'fault', reason };
}

async function attempt<T>(act: () => Promise<T>): Promise<T | DiskError> {
  try {
    return await act();
  } catch (error) {
    if (error instanceof DiskError) return error;
    throw error;
  }
}
