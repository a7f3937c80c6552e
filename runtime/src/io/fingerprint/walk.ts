/** Goes through a tree in an order that does not depend on the disk, and hashes what it meets. */
import { createHash } from 'node:crypto';
import { type BigIntStats, lstatSync, readdirSync, readlinkSync, realpathSync, statSync } from 'node:fs';
import { setImmediate } from 'node:timers/promises';
import { codeOf } from '../disk/guard.js';
import { type Known, readPrint } from './file.js';
import { NoPrint, shown } from './no-print.js';

/** Past these a tree has no fingerprint: what is asked for is a saving. */
const MOST_ENTRIES = 50_000;
const MOST_GIB = 4n;
/** Entries between two turns of the event loop: signals and progress must get through. */
const AT_ONCE = 128;

export interface Walk {
  /** What is known of files by their paths; grows. */
  readonly known: Map<string, Known>;
  readonly leftOut: readonly string[];
  readonly stop: AbortSignal;
}

/** The SHA-256 of everything at and below a path. Names are bytes: nothing is lost of those that are no text. Throws a NoPrint. */
export async function walk(root: string, { known, leftOut, stop }: Walk): Promise<string> {
  const top = realpathSync.native(root, { encoding: 'buffer' });
  const print = openPrint(top, known);
  const out = new Set(leftOut.map((path) => realOf(Buffer.from(path))?.toString()));
  const open = (await print.add(top)) ? [top] : [];
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    for (const name of readdirSync(at, { encoding: 'buffer' }).sort(Buffer.compare)) {
      const path = Buffer.concat([at, SLASH, name]);
      if (out.has(path.toString())) continue;
      if (await print.add(path)) open.push(path);
      if (print.entries() % AT_ONCE === 0) await setImmediate();
      if (stop.aborted) throw new NoPrint('the run was stopped');
    }
  }
  return print.digest();
}

const SLASH = Buffer.from('/');

interface Print {
  /** Takes in what stands at a path; true when it is a folder, to be gone into. */
  add(path: Buffer): Promise<boolean>;
  entries(): number;
  digest(): string;
}

function openPrint(top: Buffer, known: Walk['known']): Print {
  const sum = createHash('sha256');
  let entries = 0;
  let bytes = 0n;

  /** Every part comes with its length, so that no two trees say the same. */
  const say = (kind: string, path: Buffer, rest: string | Buffer): void => {
    const below = path.subarray(top.length);
    sum.update(`${kind} ${below.length} ${rest.length} `).update(below).update(rest);
  };
  const addFile = async (kind: 'file' | 'linked', path: Buffer, stats: BigIntStats): Promise<void> => {
    bytes += stats.size;
    if (bytes > MOST_GIB << 30n) throw new NoPrint(`${shown(top)} holds more than ${MOST_GIB} GiB`);
    say(`${kind} ${modeOf(stats)}`, path, await readPrint(path, { stats, known, follow: kind === 'linked' }));
  };
  /** What a link inside leads to is met on its own. A file outside counts as if it stood here; a folder outside has no bounds. */
  const addLink = async (path: Buffer): Promise<void> => {
    say('link', path, readlinkSync(path, { encoding: 'buffer' }));
    const target = realOf(path);
    if (target === null || isWithin(target, top)) return;
    const stats = statSync(target, { bigint: true });
    if (stats.isDirectory()) throw new NoPrint(`${shown(path)} is a link to a folder outside`);
    if (stats.isFile()) await addFile('linked', path, stats);
  };

  return {
    async add(path) {
      entries += 1;
      if (entries > MOST_ENTRIES) throw new NoPrint(`${shown(top)} holds more than ${MOST_ENTRIES} files and folders`);
      const stats = lstatSync(path, { bigint: true });
      if (stats.isDirectory()) say(`folder ${modeOf(stats)}`, path, '');
      else if (stats.isFile()) await addFile('file', path, stats);
      else if (stats.isSymbolicLink()) await addLink(path);
      else say('other', path, '');
      return stats.isDirectory();
    },
    entries: () => entries,
    digest: () => sum.digest('hex'),
  };
}

function modeOf({ mode }: BigIntStats): string {
  return (mode & 0o7777n).toString(8);
}

/** Where a link leads in the end; null when that is nowhere. */
function realOf(path: Buffer): Buffer | null {
  try {
    return realpathSync.native(path, { encoding: 'buffer' });
  } catch (error) {
    if (['ENOENT', 'ENOTDIR', 'ELOOP'].includes(codeOf(error) ?? '')) return null;
    throw error;
  }
}

function isWithin(path: Buffer, top: Buffer): boolean {
  return path.equals(top) || path.subarray(0, top.length + 1).equals(Buffer.concat([top, SLASH]));
}
