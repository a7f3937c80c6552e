import { join } from 'node:path';
import { RECORD } from '@gated-flow/record';
import type { Mark } from '../../agent/control/control.js';
import type { Disk } from '../../ports/disk.js';
import { readRun, runFile } from '../../record/read-run.js';
import { runPlace } from '../../record/run-place.js';
import type { Earlier } from '../../stage/reuse/reuse.js';
import { readMarks, stageKey } from '../replay/attempts.js';
import type { ReuseEntry } from './entry.js';

/**
 * What a note says, as the run's own record proves it: its chain holds, and it ended that stage as a success of its own agent, alone,
 * with that output. Null when it does not, or is not there. Whether the bytes are still those is seen when they are copied.
 */
export async function proveEntry(
  home: string,
  { run, child, stage, repeat, sha256 }: ReuseEntry,
  disk: Pick<Disk, 'real' | 'look'>,
): Promise<Earlier | null> {
  const outermost = runPlace(home, run).folder;
  const record = await runFile(outermost, child === null ? RECORD : `${child}/${RECORD}`, disk);
  if (record === null) return null;
  const folder = child === null ? outermost : join(outermost, child);
  const { view, reading } = await readRun(folder);
  if (view?.run !== run || reading.state === 'invalid') return null;
  const found = view.stages.find((one) => one.stage === stage && (one.repeat ?? null) === repeat);
  const ending = found?.ending;
  if (found?.state !== 'ended' || ending?.cause !== 'success' || !ending.sealed || ending.output?.sha256 !== sha256) return null;
  if (view.subflows.some((call) => call.stage === stage && (call.repeat ?? null) === repeat)) return null;
  const file = await runFile(folder, ending.output.path, disk);
  if (file === null) return null;
  const marks = (await readMarks(folder)).get(stageKey(stage, found.repeat)) ?? [];
  return { run, file, sha256, marks: new Map<number, Mark>(marks.map(({ item, mark }) => [item, mark])) };
}
