/** The files that an author keeps as proof beside a stage: `.fixtures/pass/*`, `.fixtures/fail/*`, and what stands in `$INPUT` for them. */
import { join } from 'node:path';
import { found, type Resolved } from '../plan/refusal.js';
import { readGivenFolder } from '../given/folder.js';
import type { Disk } from '../ports/disk.js';
import type { Given } from '../stage/scope.js';

export interface Candidate {
  /** Absolute. */
  readonly path: string;
  /** As it is told. */
  readonly shown: string;
  readonly expected: 'pass' | 'fail';
}

const FIXTURES = '.fixtures';

/** Every visible entry of both folders, those that must pass first, each in name order. `folder`: the stage's, absolute. Rejects with a DiskError. */
export async function fixturesOf(folder: string, disk: Pick<Disk, 'look' | 'list'>): Promise<readonly Candidate[]> {
  const candidates: Candidate[] = [];
  for (const expected of ['pass', 'fail'] as const) {
    const place = join(folder, FIXTURES, expected);
    if ((await disk.look(place))?.kind !== 'folder') continue;
    const names = (await disk.list(place)).filter((name) => !name.startsWith('.'));
    candidates.push(...names.map((name) => ({ path: join(place, name), shown: `${FIXTURES}/${expected}/${name}`, expected })));
  }
  return candidates;
}

/** What the stage is given while its files are judged: `.fixtures/input/`, or nothing. */
export async function fixtureInput(
  folder: string,
  disk: Pick<Disk, 'real' | 'look' | 'list' | 'hash'>,
): Promise<Resolved<readonly Given[]>> {
  const place = join(folder, FIXTURES, 'input');
  return (await disk.look(place)) === null ? found([]) : readGivenFolder(place, place, disk);
}
