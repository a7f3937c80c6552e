import { readFile } from 'node:fs/promises';
import type { Allowances } from '../../ports/probe.js';
import { askProgram } from './program.js';

/** Never rejects. */
export async function allowances(path: string): Promise<Allowances> {
  const [limit, watches] = await Promise.all([
    askProgram(['sh', '-c', 'ulimit -n'], { PATH: path }),
    readFile('/proc/sys/fs/inotify/max_user_watches', 'utf8').then(wholeNumber, () => null),
  ]);
  return {
    root: process.getuid === undefined ? null : process.getuid() === 0,
    openFiles: limit.asked === 'answered' && limit.exit === 0 ? wholeNumber(limit.text) : null,
    watches,
  };
}

function wholeNumber(text: string): number | null {
  return /^\d+$/.test(text.trim()) ? Number(text) : null;
}
