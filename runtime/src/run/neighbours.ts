import { join } from 'node:path';
import { parseLine, RECORD } from '@gated-flow/record';
import type { Disk } from '../ports/disk.js';
import { quietly } from '../record/quietly.js';
import type { Processes } from '../ports/processes.js';
import { parseLock } from '../record/marks.js';

const LOCK = '.lock';
const FIRST_LINE_BYTES = 64 * 1024;

/** Names of living runs of this home, but for `own`, that work in the same tree (O-7). What cannot be read is passed over: this only warns. */
export async function neighbours(
  { home, workdir, own }: { readonly home: string; readonly workdir: string; readonly own: string },
  { disk, processes }: { readonly disk: Disk; readonly processes: Processes },
): Promise<readonly string[]> {
  const runs = join(home, 'runs');
  const found: string[] = [];
  for (const name of await quietly(() => disk.list(runs), [])) {
    if (!name.endsWith(LOCK) || name === own + LOCK) continue;
    const run = name.slice(0, -LOCK.length);
    const holder = parseLock(await textOf(disk, join(runs, name)));
    if (!holder || !processes.alive(holder)) continue;
    if ((await workdirOf(disk, join(runs, run, RECORD))) === workdir) found.push(run);
  }
  return found;
}

async function workdirOf(disk: Disk, record: string): Promise<string | null> {
  const [line = ''] = (await textOf(disk, record)).split('\n', 1);
  const parsed = parseLine(valueOf(line));
  return parsed.line === 'event' && parsed.event.event === 'run_start' ? parsed.event.workdir : null;
}

function valueOf(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return null;
  }
}

function textOf(disk: Disk, path: string): Promise<string> {
  return quietly(async () => Buffer.from(await disk.readHead(path, FIRST_LINE_BYTES)).toString('utf8'), '');
}
