import type { Lineage } from '../ports/lineage.js';
import { carriesMarker, type ProcessEntry, readProcess } from './process-table.js';
import { processes } from './processes.js';

/** The port on `/proc`; where there is none, only this process is known. */
export const lineage: Lineage = {
  own() {
    const line = entries();
    return {
      processes: line.flatMap(({ pid }) => processes.mark(pid) ?? []),
      groups: [...new Set(line.map(({ group }) => group))],
    };
  },
  carries: (folder) => entries().some(({ pid }) => carriesMarker(pid, folder)),
};

function entries(): readonly ProcessEntry[] {
  const found: ProcessEntry[] = [];
  for (
    let next = readProcess(process.pid);
    next !== null && found.length < 1_000;
    next = next.parent > 0 ? readProcess(next.parent) : null
  ) {
    found.push(next);
  }
  return found;
}
