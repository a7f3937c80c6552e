/** The files of a run for the run log: what a record names is read only where it really stands in the run's folder. */
import { join } from 'node:path';
import { readRecord, RECORD } from '@gated-flow/record';
import type { Disk } from '../ports/disk.js';
import { runFile } from '../record/read-run.js';
import type { RunFiles } from './runlog.js';

export function runFiles(folder: string, disk: Pick<Disk, 'real' | 'look' | 'read' | 'stream'>): RunFiles {
  return {
    async *events() {
      const file = await runFile(folder, RECORD, disk);
      if (file === null) return;
      for await (const lines of readRecord(file).pieces) for (const { event } of lines) if (event !== null) yield event;
    },
    async read(path, mostBytes) {
      const file = await runFile(folder, path, disk);
      if (file === null || ((await disk.look(file))?.size ?? Infinity) > mostBytes) return null;
      return disk.read(file);
    },
    async *pieces(path) {
      const file = await runFile(folder, path, disk);
      if (file !== null) yield* disk.stream(file);
    },
    child: (below) => runFiles(join(folder, below), disk),
  };
}
