/** The run's copy of the assembly, compared with what was read before anything of it is executed (K-10, A-21). */
import { join } from 'node:path';
import type { Executable, FileEntry, Snapshot } from '@gated-flow/assembly';
import type { Disk } from '../ports/disk.js';

export interface Drift {
  /** In the assembly. */
  readonly file: string;
  /** SHA-256, with `:x` behind it when executable; `absent` when there is no such file. */
  readonly expected: string;
  readonly found: string;
}

export interface Pristine {
  /** What differs in the executable or in the `lib` folders it may reach; empty when nothing does. */
  compare(executable: Executable): Promise<readonly Drift[]>;
}

const ABSENT = 'absent';

export function pristine(snapshot: Snapshot, copy: string, disk: Disk): Pristine {
  return {
    async compare(executable) {
      const expected = new Map<string, string>([[executable.path, stateOf(snapshot, executable.path)]]);
      for (const lib of executable.libs) for (const file of filesBelow(snapshot, lib)) expected.set(file.path, spell(file));
      const added = (await Promise.all(executable.libs.map((lib) => strangers(disk, copy, { folder: lib, known: expected })))).flat();
      const drifts: Drift[] = [];
      for (const [file, state] of expected) {
        const found = await standing(disk, join(copy, file));
        if (found !== state) drifts.push({ file, expected: state, found });
      }
      return [...drifts, ...added];
    },
  };
}

function stateOf(snapshot: Snapshot, path: string): string {
  const entry = snapshot.entries.get(path);
  return entry?.kind === 'file' ? spell(entry) : ABSENT;
}

function spell({ sha256, executable }: Pick<FileEntry, 'sha256' | 'executable'>): string {
  return executable ? `${sha256}:x` : sha256;
}

function filesBelow(snapshot: Snapshot, folder: string): FileEntry[] {
  return snapshot
    .children(folder)
    .flatMap((entry) => (entry.kind === 'file' ? [entry] : entry.kind === 'folder' ? filesBelow(snapshot, entry.path) : []));
}

async function standing(disk: Disk, path: string): Promise<string> {
  const found = await disk.look(path);
  if (found === null) return ABSENT;
  if (found.kind !== 'file') return `a ${found.kind}`;
  return spell({ sha256: (await disk.hash(path)).sha256, executable: found.executable });
}

/** Files that nobody wrote into the assembly: one dropped beside a script can change what the script does. */
async function strangers(
  disk: Disk,
  copy: string,
  { folder, known }: { folder: string; known: ReadonlyMap<string, string> },
): Promise<Drift[]> {
  const drifts: Drift[] = [];
  for (const name of await disk.list(join(copy, folder))) {
    const path = `${folder}/${name}`;
    const found = await disk.look(join(copy, path));
    if (found?.kind === 'folder') drifts.push(...(await strangers(disk, copy, { folder: path, known })));
    else if (found && !known.has(path)) drifts.push({ file: path, expected: ABSENT, found: await standing(disk, join(copy, path)) });
  }
  return drifts;
}
