/** Whether this process runs inside a run: nobody there may give leave for what is done there (V-5). */
import { join } from 'node:path';
import type { Disk } from '../../ports/disk.js';
import type { Lineage } from '../../ports/lineage.js';
import { parseGroups, parseLock } from '../../record/marks.js';

export interface InsidePorts {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly disk: Pick<Disk, 'look' | 'list' | 'readHead'>;
  readonly lineage: Lineage;
}

const MAX_BYTES = 4 * 1024 * 1024;
/** Slots that lie in a run's own folders: an agent's shell has them, though nothing in it names the run. */
const SLOTS = ['TMPDIR', 'TMP', 'INPUT', 'OUTPUT', 'SKILLS', 'SUBFLOWS'];

/**
 * By the variable that hooks and gates have; by the folders of a run in the environment of this process or of one that it stems
 * from; by stemming from a run's own process, or from a process group that a run started. Any of them is enough.
 */
export async function isInsideRun(home: string, { env, disk, lineage }: InsidePorts): Promise<boolean> {
  if (env['FLOW_RUN_ID'] !== undefined) return true;
  const runs = join(home, 'runs');
  if ((await disk.look(runs))?.kind !== 'folder') return false;
  const { processes, groups } = lineage.own();
  for (const name of await disk.list(runs)) {
    if (name.endsWith('.lock')) {
      const holder = parseLock(await textOf(join(runs, name), disk));
      if (holder !== null && processes.some(({ pid, started }) => pid === holder.pid && started === holder.started)) return true;
    } else if (name.endsWith('.groups.jsonl')) {
      const left = parseGroups(await textOf(join(runs, name), disk));
      if (left.groups.some(({ pid }) => groups.includes(pid))) return true;
      if (left.scratch.some((scratch) => SLOTS.some((slot) => isIn(env[slot], scratch)) || lineage.carries(scratch))) return true;
    }
  }
  return false;
}

function isIn(path: string | undefined, folder: string): boolean {
  return path !== undefined && (path === folder || path.startsWith(`${folder}/`));
}

async function textOf(path: string, disk: InsidePorts['disk']): Promise<string> {
  if ((await disk.look(path))?.kind !== 'file') return '';
  return Buffer.from(await disk.readHead(path, MAX_BYTES)).toString('utf8');
}
