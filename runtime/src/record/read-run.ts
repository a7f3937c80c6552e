import { join } from 'node:path';
import type { Kept, Reading, RunView } from '@gated-flow/record';
import { RECORD, createRunFold, readRecord, staysInside } from '@gated-flow/record';
import type { Disk } from '../ports/disk.js';

export interface ReadRun {
  /** Null when the record has no `run_start` that can be read. */
  readonly view: RunView | null;
  readonly reading: Reading;
}

/** Folds a run's record, in memory that grows with its stages and checks, not with its turns. `keep`: what is needed of a stage that is over. */
export async function readRun(folder: string, keep?: Kept): Promise<ReadRun> {
  const record = readRecord(join(folder, RECORD));
  const fold = createRunFold(keep);
  for await (const lines of record.pieces) {
    for (const { event } of lines) if (event !== null) fold.add(event);
  }
  return { view: fold.view(), reading: record.reading() };
}

/** The real path of a file that a record names; null when it is not in the run's folder, by its name or by a link on the way. */
export async function runFile(folder: string, path: string, disk: Pick<Disk, 'real' | 'look'>): Promise<string | null> {
  if (!staysInside(path)) return null;
  const [root, real] = [await disk.real(folder), await disk.real(join(folder, path))];
  if (root === null || real !== join(root, path)) return null;
  return (await disk.look(real))?.kind === 'file' ? real : null;
}
